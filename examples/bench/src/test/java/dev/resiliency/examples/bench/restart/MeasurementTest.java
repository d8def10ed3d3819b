package dev.resiliency.examples.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.bench.restart.Mark.Kind;
import dev.resiliency.examples.bench.restart.RestartTimes.Part;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A job of three ranks, of which rank 1 is lost. */
class MeasurementTest {
    private static final int RANKS = 3;
    private static final int NEW = 3;

    private final Mark.Board board = new Mark.Board();

    private void enter(int iteration, int activeWorldSize, long nanos, int... processes) {
        for (int process : processes) {
            board.apply(process, new Mark(Kind.ENTERED, iteration, nanos + process, Map.of(Mark.WORLD, (long)
                    activeWorldSize)));
        }
    }

    private void ready(Kind milestone, long nanos, int... processes) {
        for (int process : processes) {
            board.apply(process, new Mark(milestone, 1, nanos + process, Map.of()));
        }
    }

    private void restart(int interrupted, long knownAt, long stop, int... processes) {
        for (int process : processes) {
            board.apply(
                    process, new Mark(Kind.RESTARTED, interrupted, knownAt + process, Map.of("STOP", stop + process)));
        }
    }

    private void reach(Kind stage, long nanos) {
        board.apply(NEW, new Mark(stage, 0, nanos, Map.of()));
    }

    /** Survivors run again in iteration 1. */
    private void loseRank1(int activeWorldSize) {
        enter(0, RANKS, 10, 0, 1, 2);
        board.apply(1, new Mark(Kind.FAULT, 0, 1000, Map.of()));
        restart(0, 1020, 3, 0, 2);
        enter(1, activeWorldSize, 1050, 0, 2);
        ready(Kind.GROUP, 1060, 0, 2);
        ready(Kind.FIRST_STEP, 1070, 0, 2);
    }

    @Test
    void timesOfTheSurvivorsCountFromTheFaultOrFromTheEndOfTheTimeout() {
        loseRank1(2);

        RestartTimes times = new Measurement(board, RANKS, Duration.ofNanos(5), null).times();

        assertThat(times.total()).isEqualTo(52);
        assertThat(times.overhead()).isEqualTo(47);
        assertThat(times.group()).isEqualTo(57);
        assertThat(times.firstStep()).isEqualTo(67);
        assertThat(times.detection()).isEqualTo(17);
        assertThat(times.phases()).containsExactly(Map.entry("STOP", 5L));
        assertThat(times.fullWorld()).isNull();
        assertThat(times.parts()).isEmpty();
    }

    @Test
    void stepOfASpareDoesNotStandForThatOfASurvivor() {
        enter(0, RANKS, 10, 0, 1, 2);
        restart(0, 1020, 3, 0, 2);
        ready(Kind.FIRST_STEP, 1070, 0, NEW);

        assertThat(board.haveStepped(1, board.of(Kind.RESTARTED, 0).keySet())).isFalse();
        ready(Kind.FIRST_STEP, 1080, 2);
        assertThat(board.haveStepped(1, board.of(Kind.RESTARTED, 0).keySet())).isTrue();
    }

    @Test
    void fullWorldThatASpareCompletesRunsInTheSameIteration() {
        loseRank1(RANKS);
        enter(1, RANKS, 1060, NEW);

        RestartTimes times = new Measurement(board, RANKS, Duration.ZERO, null).times();

        assertThat(times.total()).isEqualTo(52);
        assertThat(times.fullWorld()).isEqualTo(63);
    }

    @Test
    void fullWorldThatANewProcessCompletesRunsALaterIterationAndItsPartsAddUp() {
        loseRank1(2);
        reach(Kind.STARTED, 1500);
        reach(Kind.CONNECTED, 1700);
        reach(Kind.MONITORED, 2000);
        restart(1, 2300, 1, 0, 2);
        enter(2, RANKS, 2400, 0, 2, NEW);

        RestartTimes times = new Measurement(board, RANKS, Duration.ZERO, new Measurement.Launch(NEW, 1100)).times();

        assertThat(times.total()).isEqualTo(52);
        assertThat(times.fullWorld()).isEqualTo(1403);
        Map<String, Long> expected = new LinkedHashMap<>();
        expected.put("EXIT", 100L);
        expected.put("JVM_START", 400L);
        expected.put("CONNECTION", 200L);
        expected.put("MONITOR_PROCESS", 300L);
        expected.put("ADMISSION", 300L);
        expected.put("RESTART", 103L);
        assertThat(times.parts()).containsExactlyEntriesOf(expected);
        assertThat(times.parts().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(1403);
    }

    @Test
    void recoveryIsTheSlowestOneFromOtherRanks() {
        loseRank1(RANKS);
        enter(1, RANKS, 1060, NEW);
        recover(0, 0, 900);
        recover(2, 1, 500);
        recover(NEW, 1, 700);

        RestartTimes times = new Measurement(board, RANKS, Duration.ZERO, null).times();

        assertThat(times.recovery()).containsEntry("all", 700L);
    }

    private void recover(int process, long fromPeers, long nanos) {
        board.apply(process, new Mark(Kind.RECOVERED, 1, 1065, Map.of(Mark.FROM_PEERS, fromPeers, "all", nanos)));
    }

    @Test
    void iterationThatNotAllHaveEnteredYetIsNotFull() {
        loseRank1(2);
        enter(2, RANKS, 2400, 0, 2);
        assertThat(board.full(0, RANKS)).isEmpty();

        enter(2, RANKS, 2400, NEW);
        assertThat(board.full(0, RANKS)).hasValue(2);
    }

    @Test
    void faultThatItsRankSurvivesLeavesAFullWorld() {
        enter(0, RANKS, 10, 0, 1, 2);
        board.apply(1, new Mark(Kind.FAULT, 0, 1000, Map.of()));
        restart(0, 1020, 3, 0, 1, 2);
        enter(1, RANKS, 1050, 0, 1, 2);
        ready(Kind.GROUP, 1060, 0, 1, 2);
        ready(Kind.FIRST_STEP, 1070, 0, 1, 2);

        RestartTimes times = new Measurement(board, RANKS, Duration.ZERO, null).times();

        assertThat(times.fullWorld()).isEqualTo(times.total());
    }

    @Test
    void mediansAreThoseOfEachValue() {
        RestartTimes median = RestartTimes.median(List.of(times(1, 30L, 100), times(2, 20L, 300), times(3, 10L, 200)));

        assertThat(median.total()).isEqualTo(2);
        assertThat(median.fullWorld()).isEqualTo(20);
        assertThat(median.parts()).containsExactly(Map.entry(Part.EXIT.name(), 200L));
    }

    @Test
    void medianOfTheFullWorldIsMissingWhereOneRunHasNone() {
        RestartTimes median = RestartTimes.median(List.of(times(1, 30L, 100), times(2, null, 300)));

        assertThat(median.fullWorld()).isNull();
    }

    private static RestartTimes times(long total, @Nullable Long fullWorld, long exit) {
        return new RestartTimes(
                total, fullWorld, total, total, total, total, Map.of(), Map.of(Part.EXIT.name(), exit), Map.of());
    }
}
