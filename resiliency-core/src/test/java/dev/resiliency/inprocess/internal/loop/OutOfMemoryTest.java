package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.CLOSED;
import static dev.resiliency.inprocess.internal.loop.LoopState.LAST_CALL;
import static dev.resiliency.inprocess.internal.loop.LoopState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The function waits for a thread of its own that has died as memory ran out; the test is the watchdog. */
class OutOfMemoryTest {
    private static final String DIED = "lost its thread loader to java.lang.OutOfMemoryError: Java heap space";

    /** Lets a thread of the function die, as an executor's thread or one that loads data does. */
    private static void loseLoader(SteppedRank rank) {
        rank.orderAndAwaitBegin(call -> {
            Thread loader = new Thread(
                    () -> {
                        throw new OutOfMemoryError("Java heap space");
                    },
                    "loader");
            loader.start();
            loader.join();
            return null;
        });
        rank.orderAndAwaitBegin(call -> null); // the loader has died
    }

    private static void hang(SteppedRank rank) {
        rank.loop.supervision().reportHang(rank.worker(), SteppedRank.HANG);
    }

    private static Scenario beforeEachRequest(Runnable event) {
        Scenario scenario = new Scenario();
        scenario.wayToStore = session -> new ForwardingStore(session) {
            @Override
            public CompletableFuture<List<@Nullable Object>> submit(
                    List<? extends Operation<?>> operations, Duration timeout) {
                event.run();
                return super.submit(operations, timeout);
            }
        };
        return scenario;
    }

    private static List<String> reasons(SteppedRank rank) {
        RestartReport last = rank.reports.get(rank.reports.size() - 1);
        return last.interruptions().stream().map(Interruption::toString).toList();
    }

    @Test
    void rankThatHangsSinceItsThreadHasDiedSaysSo() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            loseLoader(job.rank(1));
            hang(job.rank(1));

            job.restart();

            assertThat(reasons(job.rank(0)))
                    .containsExactly("OUT_OF_MEMORY on rank 1 (" + DIED + "; made no progress for 60.0 s)");
            assertThat(job.rank(1).iterations.get(1).faults()).isEqualTo(1);
        }
    }

    @Test
    void rankThatOthersWaitForSaysSoThoughTheyHaveFoundTheHang() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            loseLoader(job.rank(1));
            hang(job.rank(0));

            job.restart();

            assertThat(reasons(job.rank(0)))
                    .containsExactlyInAnyOrder(
                            "SOFT_TIMEOUT on rank 0 (made no progress for 60.0 s)",
                            "OUT_OF_MEMORY on rank 1 (" + DIED + ")");
        }
    }

    @Test
    void rankThatOthersWaitForStopsOnceItKnowsWhetherItsMemoryHasRunOut() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            SteppedRank full = job.rank(1);
            full.loop.supervision().reportLook(true);
            hang(job.rank(0));
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.stepAll();
            assertThat(full.loop.state()).isEqualTo(LAST_CALL);

            full.loop.supervision().reportOutOfMemory(full.worker(), "threw 1 OutOfMemoryError");
            full.loop.supervision().reportLook(false);
            job.untilAll(RUNNING);

            assertThat(reasons(job.rank(0))).contains("OUT_OF_MEMORY on rank 1 (threw 1 OutOfMemoryError)");
        }
    }

    /** Its JVM has done little but collect garbage, so that it does not know of any silence. */
    @Test
    void rankThatIsNotSilentLooksWhenTheOthersHaveFoundAHang() {
        List<Thread> looks = new ArrayList<>();
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            SteppedRank full = job.rank(1);
            Thread worker = full.worker();
            Supervision supervision = full.loop.supervision();
            supervision.onLook(thread -> {
                looks.add(thread);
                supervision.reportLook(true);
            });
            hang(job.rank(0));
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.stepAll();
            assertThat(full.loop.state()).isEqualTo(LAST_CALL);

            supervision.reportOutOfMemory(worker, "threw 1 OutOfMemoryError");
            supervision.reportLook(false);
            job.untilAll(RUNNING);

            assertThat(looks).containsExactly(worker);
            assertThat(reasons(job.rank(0))).contains("OUT_OF_MEMORY on rank 1 (threw 1 OutOfMemoryError)");
        }
    }

    @Test
    void rankThatIsSilentHasLookedAndOneThatHasFoundTheHangKnows() {
        List<Thread> looks = new ArrayList<>();
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(1).fallSilent(Duration.ofSeconds(1), Activity.THREAD, "F.train(F.java:7)");
            job.ranks().forEach(rank -> rank.loop.supervision().onLook(looks::add));
            hang(job.rank(0));

            job.restart();

            assertThat(looks).isEmpty();
        }
    }

    @Test
    void rankLooksForNoOtherFault() {
        List<Thread> looks = new ArrayList<>();
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.ranks().forEach(rank -> rank.loop.supervision().onLook(looks::add));
            job.rank(0).orderThrow(new IllegalStateException("loss is NaN"));

            job.restart();

            assertThat(looks).isEmpty();
        }
    }

    /** To say where a rank stands takes a moment, in which it may become known. */
    @Test
    void rankThatSaysWhereItStandsMissesNothingThatBecomesKnownMeanwhile() {
        AtomicReference<@Nullable Runnable> meanwhile = new AtomicReference<>();
        Scenario scenario = beforeEachRequest(() -> {
            Runnable event = meanwhile.get();
            if (event != null) {
                event.run();
            }
        });
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            SteppedRank full = job.rank(1);
            Supervision supervision = full.loop.supervision();
            full.fallSilent(Duration.ofSeconds(1), Activity.THREAD, "F.train(F.java:7)");
            supervision.reportLook(true);
            meanwhile.set(() -> {
                if (full.loop.state() == LAST_CALL) {
                    meanwhile.set(null);
                    job.passLastCall();
                    supervision.reportOutOfMemory(full.worker(), "threw 1 OutOfMemoryError");
                    supervision.reportLook(false);
                }
            });
            hang(job.rank(0));

            job.until(() -> meanwhile.get() == null, "rank 1 to say where it stands");
            job.until(LAST_CALL, job.rank(0));
            job.passLastCall();
            job.untilAll(RUNNING);

            assertThat(reasons(job.rank(0))).contains("OUT_OF_MEMORY on rank 1 (threw 1 OutOfMemoryError)");
        }
    }

    @Test
    void restartWaitsNotForLongWhileItIsUnknownWhetherMemoryHasRunOut() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(1).loop.supervision().reportLook(true);
            hang(job.rank(0));
            job.untilAll(LAST_CALL);

            job.pass(Duration.ofSeconds(3));

            job.untilAll(RUNNING);
        }
    }

    /** It may be unable to say anything else. */
    @Test
    void restartLoopThatMemoryRunsOutForIsNoted() {
        AtomicBoolean isFull = new AtomicBoolean();
        Scenario scenario = beforeEachRequest(() -> {
            if (isFull.getAndSet(false)) {
                throw new OutOfMemoryError("Java heap space");
            }
        });
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.untilAll(RUNNING);
            assertThat(job.rank(0).ranOut).isFalse();
            isFull.set(true);
            job.rank(0).orderThrow(new IllegalStateException("a restart needs the store"));

            job.untilAll(CLOSED);

            assertThat(job.rank(0).ranOut).isTrue();
            assertThat(job.rank(0).loop.departure()).hasMessageContaining("out of memory");
        }
    }

    @Test
    void hangOfTheNextIterationHasAnotherReason() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            loseLoader(job.rank(1));
            hang(job.rank(1));
            job.restart();
            hang(job.rank(1));

            job.restart();

            assertThat(reasons(job.rank(0))).containsExactly("SOFT_TIMEOUT on rank 1 (made no progress for 60.0 s)");
        }
    }
}
