package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.CLOSED;
import static dev.resiliency.inprocess.internal.loop.LoopState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** It may be unable to say anything else. */
    @Test
    void restartLoopThatMemoryRunsOutForIsNoted() {
        Scenario scenario = new Scenario();
        AtomicBoolean isFull = new AtomicBoolean();
        scenario.wayToStore = session -> new ForwardingStore(session) {
            @Override
            public CompletableFuture<List<@Nullable Object>> submit(
                    List<? extends Operation<?>> operations, Duration timeout) {
                if (isFull.getAndSet(false)) {
                    throw new OutOfMemoryError("Java heap space");
                }
                return super.submit(operations, timeout);
            }
        };
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
