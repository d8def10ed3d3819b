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

    private void enter(int iteration, long activeWorldSize, long nanos, int... processes) {
        for (int process : processes) {
            Map<String, Long> world = Map.of(Mark.WORLD, activeWorldSize);
            board.apply(process, new Mark(Kind.ENTERED, iteration, nanos + process, world));
        }
    }

    private void ready(Kind milestone, long nanos, int... processes) {
        for (int process : processes) {
            board.apply(process, new Mark(milestone, 1, nanos + process, Map.of()));
        }
    }

    /** The first iteration ends with a fault on rank 1. */
    private void restart(int... survivors) {
        enter(0, RANKS, 10, 0, 1, 2);
        board.apply(1, new Mark(Kind.FAULT, 0, 1000, Map.of()));
        for (int process : survivors) {
            board.apply(process, new Mark(Kind.RESTARTED, 0, 1020 + process, Map.of("STOP", 3L + process)));
        }
    }

    /** Survivors run again in iteration 1. */
    private void runAgain(long activeWorldSize, int... survivors) {
        restart(survivors);
        enter(1, activeWorldSize, 1050, survivors);
        ready(Kind.GROUP, 1060, survivors);
        ready(Kind.FIRST_STEP, 1070, survivors);
    }

    @Test
    void timesOfTheSurvivorsCountFromTheFaultOrFromTheEndOfTheTimeout() {
        runAgain(2, 0, 2);

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
        restart(0, 2);
        ready(Kind.FIRST_STEP, 1070, 0, NEW);

        assertThat(board.haveStepped(1, board.of(Kind.RESTARTED, 0).keySet())).isFalse();
        ready(Kind.FIRST_STEP, 1080, 2);
        assertThat(board.haveStepped(1, board.of(Kind.RESTARTED, 0).keySet())).isTrue();
    }

    @Test
    void fullWorldThatASpareCompletesRunsInTheSameIterationAndTheSlowestRecoveryCounts() {
        runAgain(RANKS, 0, 2);
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
        runAgain(2, 0, 2);
        enter(2, RANKS, 2400, 0, 2);
        assertThat(board.full(RANKS)).isEmpty();

        enter(2, RANKS, 2400, NEW);
        assertThat(board.full(RANKS)).hasValue(2);
    }

    @Test
    void faultThatItsRankSurvivesLeavesAFullWorld() {
        runAgain(RANKS, 0, 1, 2);

        RestartTimes times = RestartTimes.of(board, RANKS, Duration.ZERO);

        assertThat(times.fullWorld()).isEqualTo(times.total());
    }
}
