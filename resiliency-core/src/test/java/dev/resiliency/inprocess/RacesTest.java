package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.resiliency.store.spi.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * A fault at the same moment as another event, many times: real threads, ranks in one process, no sleeping. Which is
 * first depends on the scheduler, and on a seed that delays each side by some microseconds. Where one side takes
 * longer, its lead doubles when it was late and halves when it was not, so a machine of any speed sees both orders.
 * Whichever is first, all living ranks must see the same.
 */
@Timeout(300)
class RacesTest {
    private static final int REPETITIONS = Integer.getInteger("resiliency.races", 100);
    private static final int LONGEST_LEAD_NANOS = 500_000;
    private static final int FIRST_LEAD_NANOS = 250_000;
    private static final int MOST_LEAD_NANOS = 100_000_000;

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.resiliency");
    private final Random random = new Random(4);

    @BeforeEach
    void logLess() {
        log.setLevel(Level.ERROR); // a thousand stack traces add nothing to one
    }

    @AfterEach
    void logAgain() {
        log.setLevel(null);
    }

    private int lead() {
        return random.nextInt(LONGEST_LEAD_NANOS);
    }

    /** Returns a lead of half or twice as much, with some jitter. */
    private int nextLead(int lead, boolean wasEnough) {
        int next = wasEnough ? lead / 2 : Math.min(2 * lead, MOST_LEAD_NANOS);
        return next + random.nextInt(next / 4 + 1000);
    }

    private static void spin(int nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    private static Wrapper.Builder quick(Wrapper.Builder builder) {
        return builder.lastCallWait(Duration.ZERO);
    }

    private static <R> @Nullable R get(Future<? extends @Nullable R> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    @Test
    void deathAndCompletionAtOnceEndTheSameForAllThatLive() throws Exception {
        int completed = 0;
        int lead = FIRST_LEAD_NANOS; // the lead of the completion, which takes longer
        for (int i = 0; i < REPETITIONS; i++) {
            try (LocalJob job = new LocalJob(3)) {
                CyclicBarrier now = new CyclicBarrier(4);
                CompletableFuture<InMemoryStore> session = new CompletableFuture<>();
                RestartableFunction<Integer> function = call -> {
                    if (call.iteration() == 0) {
                        now.await();
                    }
                    return call.iteration();
                };
                Future<@Nullable Integer> first = job.start(0, RacesTest::quick, function);
                Future<@Nullable Integer> second = job.start(1, RacesTest::quick, function);
                Future<@Nullable Integer> dying = job.start(
                        2,
                        builder -> quick(builder).store((environment, call) -> {
                            InMemoryStore own = job.store().newSession();
                            session.complete(own);
                            return own;
                        }),
                        function);

                now.await();
                spin(lead);
                session.join().abandon();

                assertThat(get(first))
                        .as("iteration in which the last two returned")
                        .isEqualTo(get(second));
                boolean wasCompleted = Integer.valueOf(0).equals(get(first));
                completed += wasCompleted ? 1 : 0;
                lead = nextLead(lead, wasCompleted);
                try {
                    get(dying);
                } catch (ExecutionException itsSessionIsOver) {
                    assertThat(itsSessionIsOver).cause().isInstanceOf(RuntimeException.class);
                }
            }
        }
        assertThat(completed).as("in how many the completion was first").isBetween(1, REPETITIONS - 1);
    }

    @Test
    void faultAndEntryOfAnAtomicSectionAtOnceNeverCutTheSection() throws Exception {
        for (int i = 0; i < REPETITIONS; i++) {
            try (LocalJob job = new LocalJob(2)) {
                CyclicBarrier now = new CyclicBarrier(2);
                int lead = lead();
                AtomicBoolean inside = new AtomicBoolean();
                AtomicBoolean aborted = new AtomicBoolean();
                Queue<String> violations = new ConcurrentLinkedQueue<>();
                Future<@Nullable Integer> saving = job.start(
                        0,
                        builder -> quick(builder).abort(state -> {
                            aborted.set(true);
                            if (inside.get()) {
                                violations.add("aborted inside a section");
                            }
                        }),
                        call -> {
                            if (call.iteration() == 0) {
                                now.await();
                            }
                            while (call.iteration() == 0) {
                                CallWrapper.AtomicSection section = call.atomic();
                                inside.set(true);
                                if (aborted.get()) {
                                    violations.add("a section has begun after the abort");
                                }
                                inside.set(false);
                                section.close();
                            }
                            return call.iteration();
                        });
                Future<@Nullable Integer> failing = job.start(1, RacesTest::quick, call -> {
                    if (call.iteration() == 0) {
                        now.await();
                        spin(lead);
                        throw new IllegalStateException("NaN");
                    }
                    return call.iteration();
                });

                assertThat(get(saving)).isEqualTo(1);
                assertThat(get(failing)).isEqualTo(1);
                assertThat(violations).isEmpty();
            }
        }
    }

    @Test
    void faultsAtTheStartOfEachRestartAreOneRestartEachOnAllRanks() throws Exception {
        int ranks = 3;
        CountDownLatch never = new CountDownLatch(1);
        List<List<Integer>> interrupted = new ArrayList<>();
        try (LocalJob job = new LocalJob(ranks)) {
            List<Future<@Nullable Integer>> results = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                List<Integer> own = new ArrayList<>();
                interrupted.add(own);
                RestartListener listener = new RestartListener() {
                    @Override
                    public void restarted(RestartReport report) {
                        own.add(report.interrupted());
                        assertThat(report.interruptions()).isNotEmpty();
                    }
                };
                // One rank fails at once, in an iteration that the others may not have entered yet; now and then all
                // do.
                results.add(job.start(rank, builder -> quick(builder).listener(listener), call -> {
                    int iteration = call.iteration();
                    call.step(iteration); // comes further, so that it is not slowed down
                    if (iteration == REPETITIONS) {
                        return iteration;
                    }
                    if (iteration % 5 == 0 || iteration % ranks == call.state().initialRank()) {
                        throw new IllegalStateException("fault of iteration " + iteration);
                    }
                    never.await();
                    return -1;
                }));
            }
            for (Future<@Nullable Integer> result : results) {
                assertThat(get(result)).isEqualTo(REPETITIONS);
            }
        }
        assertThat(interrupted)
                .allSatisfy(
                        own -> assertThat(own).hasSize(REPETITIONS).isSorted().doesNotHaveDuplicates());
    }

    @Test
    void faultAndDepartureOfAnotherRankAtOnceLeaveTheOthersARestart() throws Exception {
        for (int i = 0; i < REPETITIONS; i++) {
            try (LocalJob job = new LocalJob(3)) {
                CyclicBarrier now = new CyclicBarrier(3);
                int faultLead = lead();
                int departureLead = lead();
                CountDownLatch never = new CountDownLatch(1);
                List<Future<@Nullable Integer>> results = job.startAll(RacesTest::quick, call -> {
                    State state = call.state();
                    if (call.iteration() == 0) {
                        now.await();
                        if (state.initialRank() == 0) {
                            spin(faultLead);
                            throw new IllegalStateException("NaN");
                        }
                        if (state.initialRank() == 1) {
                            spin(departureLead);
                            throw new RestartAbort("enough");
                        }
                    }
                    if (state.worldSize() == 3) {
                        never.await(); // the departure is still to come
                    }
                    return state.worldSize();
                });

                assertThat(get(results.get(0))).isEqualTo(2);
                assertThat(get(results.get(2))).isEqualTo(2);
            }
        }
    }

    @Test
    void interruptOfTheCallerAndCompletionAtOnceCostNoOtherRankItsResult() throws Exception {
        int left = 0;
        int lead = FIRST_LEAD_NANOS; // the lead of the completion
        for (int i = 0; i < REPETITIONS; i++) {
            try (LocalJob job = new LocalJob(2)) {
                CyclicBarrier now = new CyclicBarrier(3);
                RestartableFunction<Integer> function = call -> {
                    if (call.iteration() == 0) {
                        now.await();
                    }
                    return call.iteration();
                };
                Future<@Nullable Integer> other = job.start(0, RacesTest::quick, function);
                CompletableFuture<@Nullable Integer> ending = new CompletableFuture<>();
                Thread caller = new Thread(() -> {
                    try {
                        ending.complete(quick(job.rank(1)).build().call(function));
                    } catch (Throwable thrown) {
                        ending.completeExceptionally(thrown);
                    }
                });
                caller.start();

                now.await();
                spin(lead);
                caller.interrupt();

                assertThat(get(other)).isIn(0, 1);
                try {
                    assertThat(get(ending)).isZero();
                    lead = nextLead(lead, true);
                } catch (ExecutionException thrown) {
                    assertThat(thrown).cause().isInstanceOf(InterruptedException.class);
                    left++;
                    lead = nextLead(lead, false);
                }
                caller.join();
            }
        }
        assertThat(left).as("in how many the interrupt was first").isBetween(1, REPETITIONS - 1);
    }
}
