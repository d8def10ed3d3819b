package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.resiliency.inprocess.internal.cycle.DutyCycle;
import dev.resiliency.inprocess.internal.worker.CapturedLog;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However a rank leaves its job, the others learn it, and go on at once. */
@Timeout(60)
class LeavingTest {
    /** Less than each timeout of a {@link LocalJob}, after which the others would go on in any case. */
    private static final long SOON_SECONDS = 4;

    private final ConcurrentLinkedQueue<RestartReport> reports = new ConcurrentLinkedQueue<>();

    /** Written by the function of rank 0. */
    private volatile Known known = new Known(IndexSet.empty(), "");

    /** Returns once this rank is alone; restarts the job once before. */
    private int untilAlone(LocalJob job, CallWrapper call) throws InterruptedException {
        int worldSize = call.state().worldSize();
        call.onAbort(() -> {});
        call.ping();
        if (worldSize == 2 && call.iteration() == 0) {
            throw new IllegalStateException("restarts the job once");
        }
        while (worldSize == 2 && call.iteration() == 1) {
            call.ping();
            Thread.sleep(1);
        }
        noteWhatIsKnown(job);
        return worldSize;
    }

    private Wrapper.Builder listening(Wrapper.Builder settings) {
        return settings.listener(new RestartListener() {
            @Override
            public void restarted(RestartReport report) {
                reports.add(report);
            }
        });
    }

    private static void assertGoesOnAlone(Future<@Nullable Integer> rank) throws Exception {
        assertThat(rank.get(SOON_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
    }

    /** Notes what the others know of rank 1; after the end of the job, its keys are deleted. */
    private void noteWhatIsKnown(LocalJob job) throws InterruptedException {
        String anyKey = job.store().keys("jobs/").get(0);
        String generation = anyKey.replaceFirst("(call-\\d+/).*", "$1") + "0/"; // another call where jobs share a port
        StringBuilder records = new StringBuilder();
        for (String key :
                job.store().keys(generation)) { // of any iteration: the will of rank 1 may be of the one before
            if (key.endsWith("/records") && job.store().check(List.of(key))) {
                records.append(job.store().get(key).text());
            }
        }
        known = new Known(job.store().members(generation + "terminated"), records.toString());
    }

    /** Asserts that the others know that rank 1 has left for this reason. */
    private void assertKnown(String reason) {
        assertThat(known.terminated()).isEqualTo(IndexSet.of(1));
        assertThat(known.records() + reports.stream().map(RestartReport::lines).toList())
                .contains(reason);
    }

    private record Known(IndexSet terminated, String records) {}

    /** Lets the store have its thread for as long as the job runs, so that no rank starts it. */
    @SuppressWarnings("FutureReturnValueIgnored") // ends with the store
    private static void keepTimerOf(LocalJob job) {
        job.store().submit(List.of(new Operation.Get("never")), Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4}) // watchdog, restart loop, worker, abort action, next worker
    void rankThatCannotStartAThreadTellsTheOthersWhy(int granted) throws Exception {
        try (LocalJob job = new LocalJob(2)) {
            keepTimerOf(job);
            Future<@Nullable Integer> other = job.start(0, this::listening, call -> untilAlone(job, call));
            AtomicReference<@Nullable RefusedThreads> limit = new AtomicReference<>();
            Future<@Nullable Integer> one = job.start(
                    1,
                    settings -> settings.store((environment, call) -> {
                        limit.set(new RefusedThreads(granted));
                        return job.store().newSession();
                    }),
                    call -> untilAlone(job, call));

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> one.get(SOON_SECONDS, TimeUnit.SECONDS))
                    .havingCause()
                    .isInstanceOf(ResiliencyException.class)
                    .withMessageMatching("the thread resiliency-\\S+ could not be started \\(unable to create native"
                            + " thread: granted " + granted + "\\): raise the limit of processes and threads of this"
                            + " user \\(ulimit -u\\) or container \\(pids.max\\), or leave this process more memory");
            assertGoesOnAlone(other);
            assertKnown("could not be started (unable to create native thread: granted " + granted);
            assertThat(Objects.requireNonNull(limit.get()).hasRefused()).isTrue();
        }
    }

    /** The session of rank 1, in whose way to the store the test stands. */
    private static class Session extends ForwardingStore {
        Session(SessionStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<@Nullable Object>> submit(
                List<? extends Operation<?>> operations, Duration timeout) {
            boolean tells = operations.stream()
                    .anyMatch(operation -> operation instanceof Operation.AddToSet added
                            && added.key().endsWith("terminated"));
            return tells ? tell(operations, timeout) : super.submit(operations, timeout);
        }

        CompletableFuture<List<@Nullable Object>> tell(List<? extends Operation<?>> operations, Duration timeout) {
            return super.submit(operations, timeout);
        }
    }

    private static int leave(CallWrapper call) {
        throw new RestartAbort("no more data");
    }

    @Test
    void rankWhoseFarewellTheStoreRefusesSaysNoGoodbye() throws Exception {
        try (LocalJob job = new LocalJob(2)) {
            Future<@Nullable Integer> other = job.start(0, this::listening, call -> untilAlone(job, call));
            Future<@Nullable Integer> one = job.start(
                    1,
                    settings -> settings.store((environment, call) -> new Session(
                            job.store().newSession()) {
                        @Override
                        CompletableFuture<List<@Nullable Object>> tell(
                                List<? extends Operation<?>> operations, Duration timeout) {
                            return CompletableFuture.failedFuture(new StoreTimeoutException("no answer", timeout));
                        }
                    }),
                    LeavingTest::leave);

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> one.get(SOON_SECONDS, TimeUnit.SECONDS))
                    .havingCause()
                    .isInstanceOf(RestartAbort.class);
            assertGoesOnAlone(other);
            assertKnown("its session ended without a goodbye");
        }
    }

    /** A session on which nothing can be sent from the thread of the restart loop. */
    private static final class SessionOfCaller extends Session {
        private final boolean onlyFarewells;

        SessionOfCaller(SessionStore store, boolean onlyFarewells) {
            super(store);
            this.onlyFarewells = onlyFarewells;
        }

        private static void refuse() {
            if (Thread.currentThread().getName().startsWith("resiliency-monitor")) {
                throw new OutOfMemoryError("Java heap space");
            }
        }

        @Override
        public CompletableFuture<List<@Nullable Object>> submit(
                List<? extends Operation<?>> operations, Duration timeout) {
            if (!onlyFarewells) {
                refuse();
            }
            return super.submit(operations, timeout);
        }

        @Override
        CompletableFuture<List<@Nullable Object>> tell(List<? extends Operation<?>> operations, Duration timeout) {
            refuse();
            return super.tell(operations, timeout);
        }
    }

    @Test
    void farewellThatTheRestartLoopCannotSendIsSentByTheCaller() throws Exception {
        try (LocalJob job = new LocalJob(2)) {
            Future<@Nullable Integer> other = job.start(0, this::listening, call -> untilAlone(job, call));
            Future<@Nullable Integer> one = job.start(
                    1,
                    settings -> settings.store((environment, call) ->
                            new SessionOfCaller(job.store().newSession(), true)),
                    LeavingTest::leave);

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> one.get(SOON_SECONDS, TimeUnit.SECONDS))
                    .havingCause()
                    .isInstanceOf(RestartAbort.class);
            assertGoesOnAlone(other);
            assertKnown("RestartAbort: no more data");
        }
    }

    @Test
    void callerOfARankWhoseRestartLoopDiesTellsTheOthers() throws Exception {
        try (LocalJob job = new LocalJob(2);
                CapturedLog expected = new CapturedLog(DutyCycle.class)) {
            Future<@Nullable Integer> other = job.start(0, this::listening, call -> untilAlone(job, call));
            Future<@Nullable Integer> one = job.start(
                    1,
                    settings -> settings.store((environment, call) ->
                            new SessionOfCaller(job.store().newSession(), false)),
                    call -> 1);

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> one.get(SOON_SECONDS, TimeUnit.SECONDS))
                    .havingCause()
                    .isInstanceOf(ResiliencyException.class)
                    .withMessage(
                            "this rank is out of memory (Java heap space), so it leaves: give its JVM a larger heap (-Xmx)");
            assertGoesOnAlone(other);
            assertKnown("this rank is out of memory");
            assertThat(expected.messages()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rankThatDoesNotKnowWhetherItsClaimWasCarriedOutSaysNoGoodbye(boolean enabled) throws Exception {
        CountDownLatch claimed = new CountDownLatch(1);
        try (LocalJob job = new LocalJob(2)) {
            Wrapper wrapper = job.rank(1)
                    .enabled(enabled)
                    .store((environment, call) ->
                            new ForwardingStore(job.store().newSession()) {
                                @Override
                                public CompletableFuture<List<@Nullable Object>> submit(
                                        List<? extends Operation<?>> operations, Duration timeout) {
                                    super.submit(operations, timeout).join();
                                    claimed.countDown();
                                    return new CompletableFuture<>(); // the answer is lost
                                }
                            })
                    .build();
            AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
            Thread caller = new Thread(() -> {
                try {
                    wrapper.call(call -> "never");
                } catch (InterruptedException | RuntimeException e) {
                    thrown.set(e);
                }
            });
            caller.start();
            claimed.await();

            caller.interrupt();
            caller.join();

            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            assertThat(job.start(0, settings -> settings, call -> untilAlone(job, call))
                            .get(SOON_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(1);
            assertKnown("its session ended without a goodbye");
        }
    }
}
