package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RestartReportTest {

    @Test
    void singleFaultIsReportedWithItsMessageAndThePhaseTimes() {
        RestartReport report = report(List.of(fault(2, Kind.EXCEPTION, "no route")));

        assertThat(report)
                .hasToString("restarted in 14.3 ms after EXCEPTION on rank 2 (no route): last call 10.1, abort 0.0 ms;"
                        + " stopped by signal");
    }

    @Test
    void severalRanksAreReportedAsRangesWithTheirNumber() {
        List<Interruption> lost = IntStream.of(8, 0, 1, 2, 3, 100, 101)
                .mapToObj(rank -> fault(rank, Kind.TERMINATED, "it died"))
                .toList();

        assertThat(report(lost).toString()).contains("after TERMINATED on 7 ranks {0-3, 8, 100, 101} (it died): ");
    }

    @Test
    void kindsAreReportedOneAfterTheOther() {
        assertThat(report(List.of(
                                fault(5, Kind.TERMINATED, ""),
                                fault(1, Kind.EXCEPTION, "no route"),
                                fault(3, Kind.EXCEPTION, "NaN")))
                        .toString())
                .contains("after EXCEPTION on 2 ranks {1, 3} (no route on rank 1; NaN on rank 3);"
                        + " TERMINATED on rank 5: ");
    }

    @Test
    void ranksWhoseConnectionsEndedFollowWhoeverHasFailed() {
        Interruption eof = fault(0, Kind.CONNECTION_LOST, "java.io.EOFException");

        assertThat(report(List.of(
                                eof,
                                fault(1, Kind.CONNECTION_LOST, "java.net.SocketException: Connection reset"),
                                fault(2, Kind.EXCEPTION, "loss is NaN")))
                        .toString())
                .contains("after EXCEPTION on rank 2 (loss is NaN); 2 ranks followed (EOFException): ");
        assertThat(report(List.of(eof, fault(3, Kind.LEAVING, "drained"))).toString())
                .contains("after LEAVING of rank 3 (drained); rank 0 followed (EOFException): ");
    }

    @Test
    void lostConnectionsThatNothingExplainsAreTheCause() {
        assertThat(report(List.of(fault(0, Kind.CONNECTION_LOST, "java.io.EOFException")))
                        .toString())
                .contains("after CONNECTION_LOST on rank 0 (EOFException): ");
    }

    /** Those who lose their peer may record that first. */
    @Test
    void eachMessageIsShownOnceAndInPart() {
        assertThat(report(List.of(
                                fault(1, Kind.EXCEPTION, "closed"),
                                fault(2, Kind.EXCEPTION, "closed"),
                                fault(0, Kind.EXCEPTION, "x".repeat(161))))
                        .toString())
                .contains("after EXCEPTION on 3 ranks {0-2} (closed on rank 1; " + "x".repeat(100) + "… on rank 0): ");
    }

    @Test
    void lineDoesNotGrowWithTheJob() {
        List<Interruption> scattered = IntStream.range(0, 8_192)
                .mapToObj(rank ->
                        fault(2 * rank, Kind.EXCEPTION, "java.lang.IllegalStateException: the loss is NaN " + rank))
                .toList();

        assertThat(report(scattered).lines().get(0))
                .contains("8192 ranks {0, 2, 4, ", ", ...} (IllegalStateException: th… on rank 0; ")
                .endsWith("…")
                .hasSizeBetween(190, 200);
        assertThat(report(scattered).toString()).hasSizeLessThan(300);
    }

    @Test
    void messageThatIsCutHasALineOfItsOwn() {
        List<String> lines = report(
                        List.of(fault(1, Kind.EXCEPTION, "x".repeat(500)), fault(2, Kind.TERMINATED, "it died")))
                .lines();

        assertThat(lines.get(0)).endsWith("x…); TERMINATED on rank 2 (it died)").hasSizeLessThanOrEqualTo(200);
        assertThat(lines.get(1)).isEqualTo("EXCEPTION on rank 1 (" + "x".repeat(500) + ")");
        assertThat(lines).hasSize(3);
    }

    @Test
    void locksOfADeadlockAreNamedThoughTheLineIsTooShortForThem() {
        String locks =
                "it waits for java.lang.Object@2a17f6c8, which thread other-half holds, and that one for java.lang.Object@102288e8";
        List<String> lines = report(List.of(
                        fault(
                                1,
                                Kind.SOFT_TIMEOUT,
                                "did not ping for 6.0 s, ",
                                new Standing(Activity.DEADLOCK, true, List.of("LogReg.fault(LogReg.java:64)")),
                                ": " + locks),
                        fault(1, Kind.HARD_TIMEOUT, "no progress for 12000 ms (hardTimeout)")))
                .lines();

        assertThat(lines.get(0))
                .contains("SOFT_TIMEOUT on rank 1 (did not ping for 6.0 s, is deadlocked: ")
                .hasSizeLessThanOrEqualTo(200);
        assertThat(lines.get(1))
                .startsWith("SOFT_TIMEOUT on rank 1 (")
                .contains(locks)
                .endsWith(", at LogReg.fault:64)");
        assertThat(lines).contains("rank 1 stood at LogReg.fault:64");
    }

    /** Then each stack is a line of its own, with the frames of the program. */
    @Test
    void rankThatHungIsNamedWithItsPlaceAndThoseThatWaitedAreCounted() {
        String silence = "made no progress for 6.0 s, ";
        Standing sleeps = new Standing(
                Activity.SLEEP,
                true,
                List.of(
                        "java.lang.Thread.sleep(Native Method)",
                        "LogReg.fault(LogReg.java:71)",
                        "LogReg.train(LogReg.java:28)"));
        Standing waits = new Standing(
                Activity.SOCKET,
                true,
                List.of(
                        "sun.nio.ch.Net.poll(Native Method)",
                        "LogReg$Star.read(LogReg.java:164)",
                        "LogReg.train(LogReg.java:33)"));

        assertThat(report(List.of(
                                fault(2, Kind.SOFT_TIMEOUT, silence, sleeps, ", 212 pings"),
                                fault(0, Kind.WAITING, silence, waits, ", 212 pings"),
                                fault(1, Kind.WAITING, silence, waits, ", 212 pings")))
                        .lines())
                .containsExactly(
                        "restarted in 14.3 ms after SOFT_TIMEOUT on rank 2 (made no progress for 6.0 s, sleeps, 212 pings, at"
                                + " LogReg.fault:71); 2 ranks waited",
                        "rank 2 stood at LogReg.fault:71 < LogReg.train:28",
                        "ranks {0, 1} stood at LogReg$Star.read:164 < LogReg.train:33",
                        "last call 10.1, abort 0.0 ms; stopped by signal");
    }

    @Test
    void scaleUpNamesTheRankThatInterrupted() {
        Interruption scaleUp = fault(0, Kind.SCALE_UP, "ranks {8, 9} wait");

        assertThat(scaleUp).hasToString("SCALE_UP by rank 0 (ranks {8, 9} wait)");
        assertThat(report(List.of(fault(2, Kind.TERMINATED, ""), scaleUp)).toString())
                .contains("after TERMINATED on rank 2; SCALE_UP by rank 0 (ranks {8, 9} wait): ");
    }

    @Test
    void lineEndsWithThoseWhoJoined() {
        List<Interruption> lost = List.of(fault(2, Kind.TERMINATED, ""));

        assertThat(report(lost, IndexSet.of(9)).toString()).endsWith("; stopped by signal; rank 9 joined");
        assertThat(report(lost, IndexSet.of(8, 9, 10, 12)).toString())
                .endsWith("; stopped by signal; ranks {8-10, 12} joined");
        assertThat(report(
                                lost,
                                IndexSet.of(IntStream.range(0, 8_192)
                                        .map(i -> 2 * i)
                                        .toArray()))
                        .toString())
                .endsWith(", ...} joined")
                .hasSizeLessThan(350);
    }

    private static Interruption fault(int rank, Kind kind, String message) {
        return new Interruption(rank, kind, null, message);
    }

    private static Interruption fault(int rank, Kind kind, String start, Standing standing, String more) {
        return new Interruption(rank, kind, null, standing.text(start, more), standing);
    }

    private static RestartReport report(List<Interruption> interruptions) {
        return report(interruptions, IndexSet.empty());
    }

    private static RestartReport report(List<Interruption> interruptions, IndexSet joined) {
        Map<Phase, Duration> phases = new EnumMap<>(
                Map.of(Phase.LAST_CALL, Duration.ofNanos(10_060_000), Phase.ABORT, Duration.ofNanos(49_999)));
        State next = new State(0, 4, 0, 4, State.Mode.ACTIVE, 0, 4, 1);
        return new RestartReport(
                0,
                interruptions,
                phases,
                RestartReport.StoppedBy.SIGNAL,
                0,
                Duration.ofNanos(14_250_000),
                next,
                joined);
    }
}
