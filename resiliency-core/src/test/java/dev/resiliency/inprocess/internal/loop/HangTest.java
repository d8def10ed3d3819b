package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.internal.watch.Silence;
import dev.resiliency.inprocess.internal.watch.Statement;
import dev.resiliency.inprocess.internal.watch.WhereItStands;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A rank hangs, and another one that waits for it is the first to notice; the test is the watchdog. */
@Timeout(60)
class HangTest {
    private static final Standing AT_RING = new Standing(Activity.SOCKET, true, List.of("Ring.read(Ring.java:80)"));
    private static final Statement WAITS =
            new Statement(AT_RING, AT_RING.text("made no progress for 60.0 s, ", ", 7 pings"));

    private static List<String> reasons(SteppedRank rank) {
        RestartReport last = rank.reports.get(rank.reports.size() - 1);
        return last.interruptions().stream()
                .map(each -> each.kind() + " on " + each.rank() + ": "
                        + (each.standing() == null
                                ? each.message()
                                : each.standing().brief(each.message())))
                .toList();
    }

    private static void sleep(SteppedRank rank) {
        rank.orderAndAwaitBegin(call -> {
            Thread.sleep(Duration.ofDays(1).toMillis());
            return null;
        });
        while (rank.worker().getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    private static void isSilent(SteppedRank rank, Duration silence) {
        rank.loop
                .supervision()
                .reportSilence(new Silence(
                        rank.worker(),
                        "made no progress",
                        rank.clock.nanoTime() - silence.toNanos(),
                        WhereItStands.of(
                                Objects.requireNonNull(rank.loop.supervision().watched()))));
    }

    @Test
    void rankThatTheOthersWaitForIsNamedWhoeverNoticesFirst() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            sleep(job.rank(2));
            job.rank(1).fallSilent(Duration.ofSeconds(58), Activity.THREAD, "Loader.next(Loader.java:7)");
            isSilent(job.rank(2), Duration.ofSeconds(59));
            job.rank(0).loop.supervision().reportHang(job.rank(0).worker(), WAITS);

            job.restart();

            assertThat(job.ranks()).allSatisfy(rank -> {
                List<String> reasons = reasons(rank);
                assertThat(reasons).hasSize(3);
                assertThat(reasons.get(0))
                        .startsWith("SOFT_TIMEOUT on 2: made no progress for 59.0 s, sleeps, 1 pings");
                assertThat(reasons)
                        .anyMatch(each -> each.startsWith(
                                "WAITING on 0: made no progress for 60.0 s, waits in a socket, 7 pings"))
                        .anyMatch(each ->
                                each.startsWith("WAITING on 1: made no progress for 58.0 s, waits for another thread"));
            });
            assertThat(job.ranks())
                    .extracting(rank -> rank.iterations.get(1).faults())
                    .containsExactly(1, 0, 1);
        }
    }

    /** The others close their connections as they stop, which it may notice before the hang. */
    @Test
    void rankThatHasLostItsConnectionSaysWhereItStoodBefore() throws Exception {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            job.rank(1).fallSilent(Duration.ofSeconds(58), Activity.SOCKET, "Lone.accept(Lone.java:93)");
            job.rank(2).fallSilent(Duration.ofSeconds(59), Activity.SLEEP, "Ring.read(Ring.java:80)"); // as it polls
            Thread worker = job.rank(2).worker();
            job.rank(2).orderThrow(new UncheckedIOException(new EOFException()));
            worker.join();
            job.rank(0).loop.supervision().reportHang(job.rank(0).worker(), WAITS);

            job.restart();

            assertThat(job.ranks())
                    .allSatisfy(rank -> assertThat(reasons(rank))
                            .containsExactlyInAnyOrder(
                                    "SOFT_TIMEOUT on 1: made no progress for 58.0 s, waits in a socket, at Lone.accept:93",
                                    "WAITING on 0: made no progress for 60.0 s, waits in a socket, 7 pings, at Ring.read:80",
                                    "CONNECTION_LOST on 2: java.io.UncheckedIOException: java.io.EOFException",
                                    "WAITING on 2: made no progress for 59.0 s, waits in a socket, at Ring.read:80"));
        }
    }

    @Test
    void rankThatMakesProgressSaysNothing() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            sleep(job.rank(1));
            job.rank(0).loop.supervision().reportHang(job.rank(0).worker(), WAITS);

            job.restart();

            assertThat(reasons(job.rank(1)))
                    .containsExactly(
                            "SOFT_TIMEOUT on 0: made no progress for 60.0 s, waits in a socket, 7 pings, at Ring.read:80");
        }
    }

    @Test
    void nobodySaysWhereItStandsAfterAnotherFault() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            sleep(job.rank(1));
            isSilent(job.rank(1), Duration.ofSeconds(40));
            job.rank(0).orderThrow(new IllegalStateException("loss is NaN"));

            job.restart();

            assertThat(job.rank(1).reports.get(0).interruptions())
                    .extracting(Interruption::kind)
                    .containsExactly(Kind.EXCEPTION);
        }
    }
}
