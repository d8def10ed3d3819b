package dev.resiliency.examples.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.bench.restart.Mark.Kind;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A job of three ranks, of which rank 1 is lost. */
class RestartTimesTest {
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

        RestartTimes times = RestartTimes.of(board, RANKS, Duration.ofNanos(5));

        assertThat(times.total()).isEqualTo(52);
        assertThat(times.overhead()).isEqualTo(47);
        assertThat(times.group()).isEqualTo(57);
        assertThat(times.firstStep()).isEqualTo(67);
        assertThat(times.detection()).isEqualTo(17);
        assertThat(times.phases()).containsExactly(Map.entry("STOP", 5L));
        assertThat(times.fullWorld()).isZero();
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
    void fullWorldThatASpareCompletesRunsInTheSameIterationAndTheSlowestRecoveryCounts() {
        loseRank1(RANKS);
        enter(1, RANKS, 1060, NEW);
        recover(2, 500);
        recover(NEW, 700);

        RestartTimes times = RestartTimes.of(board, RANKS, Duration.ZERO);

        assertThat(times.total()).isEqualTo(52);
        assertThat(times.fullWorld()).isEqualTo(63);
        assertThat(times.recovery()).isEqualTo(700);
    }

    private void recover(int process, long nanos) {
        board.apply(process, new Mark(Kind.GROUP, 1, 1065, Map.of(Mark.FROM_PEERS, nanos)));
    }

    @Test
    void iterationThatNotAllHaveEnteredYetIsNotFull() {
        loseRank1(2);
        enter(2, RANKS, 2400, 0, 2);
        assertThat(board.full(RANKS)).isEmpty();

        enter(2, RANKS, 2400, NEW);
        assertThat(board.full(RANKS)).hasValue(2);
    }

    @Test
    void faultThatItsRankSurvivesLeavesAFullWorld() {
        enter(0, RANKS, 10, 0, 1, 2);
        board.apply(1, new Mark(Kind.FAULT, 0, 1000, Map.of()));
        restart(0, 1020, 3, 0, 1, 2);
        enter(1, RANKS, 1050, 0, 1, 2);
        ready(Kind.GROUP, 1060, 0, 1, 2);
        ready(Kind.FIRST_STEP, 1070, 0, 1, 2);

        RestartTimes times = RestartTimes.of(board, RANKS, Duration.ZERO);

        assertThat(times.fullWorld()).isEqualTo(times.total());
    }
}
