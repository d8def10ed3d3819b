package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.FaultKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobBoardTest {
    private final ScriptedJob job = new ScriptedJob(false, false);
    private final JobBoard board = job.board;

    @Test
    void jobHasSettledWhenAllSurvivorsAreInTheSameIterationAndNoOtherRankIs() {
        assertThat(board.settled()).isEmpty();
        job.start(0, 0, 1, 2);
        assertThat(board.settled()).hasValue(0);

        job.inject(FaultKind.SIGKILL, Place.STEP, 1, 0);
        assertThat(board.settled()).isEmpty(); // a world of three, but two should survive
        assertThat(board.areLostGone()).isFalse();
        board.ended(1, 137);
        assertThat(board.areLostGone()).isTrue();
        job.starts(0, 1, 0, 2);
        board.apply(0, new ChaosEvent.Entered(1, 0));
        assertThat(board.settled()).isEmpty(); // rank 2 is still in iteration 0
        job.starts(2, 1, 1, 2);
        assertThat(board.settled()).isEmpty(); // it has not entered its function
        board.apply(2, new ChaosEvent.Entered(1, 0));

        assertThat(board.settled()).hasValue(1);
        assertThat(board.violations()).isEmpty();
    }

    @Test
    void faultIsAheadFromItsOrderUntilItHappens() {
        job.start(0, 0, 1, 2);
        ChaosFault fault = new ChaosFault(7, FaultKind.STOP_PING, Place.STEP, 1, Duration.ZERO);

        board.ordered(fault);
        assertThat(board.process(1).hasFaultAhead()).isTrue();
        assertThat(board.process(0).hasFaultAhead()).isFalse();

        board.apply(1, new ChaosEvent.Struck(7, 0, 0));
        assertThat(board.process(1).hasFaultAhead()).isFalse();
    }

    @Test
    void healthyRankThatLeavesIsNoticed() {
        job.start(0, 0, 1, 2);

        board.apply(1, new ChaosEvent.Left("StoreLostException", "gone", 0));

        assertThat(board.violations())
                .containsExactly("rank 1 was healthy, but left the job: StoreLostException: gone");
    }

    @Test
    void healthyProcessThatEndsIsNoticedButNotOneThatWasOrderedToClose() {
        job.start(0, 0, 1, 2);
        board.apply(0, new ChaosEvent.LeftBehind(List.of(), 0));

        board.ended(0, 0);
        board.ended(1, 143);

        assertThat(board.violations()).containsExactly("rank 1 was healthy, but its process exited with code 143");
    }

    @Test
    void rankWithADeadlyFaultMayLeave() {
        job.start(0, 0, 1, 2);
        job.inject(FaultKind.KILL_MONITOR, Place.STEP, 1, 0);

        board.apply(1, new ChaosEvent.Left("MonitorProcessException", "died", 0));

        assertThat(board.violations()).isEmpty();
        assertThat(board.survivors()).containsExactly(0, 2);
        assertThat(board.areLostGone()).isTrue();
    }

    @Test
    void allMayLeaveWithTheHostOfTheStore() {
        ScriptedJob hosted = new ScriptedJob(true, false);
        hosted.start(0, 0, 1, 2);
        hosted.inject(FaultKind.SIGKILL, Place.STEP, 0, 0);
        assertThat(hosted.board.isStoreLost()).isFalse();

        hosted.board.ended(0, 137);
        hosted.board.apply(1, new ChaosEvent.Left("StoreLostException", "lost", 0));

        assertThat(hosted.board.isStoreLost()).isTrue();
        assertThat(hosted.board.violations()).isEmpty();
    }

    @Test
    void ranksThatDisagreeAboutTheWorldAreNoticed() {
        job.starts(0, 0, 0, 3);

        job.starts(1, 0, 1, 2);

        assertThat(board.violations())
                .containsExactly(
                        "in iteration 0, rank 1 is in a world of 2 (2 active), but rank 0 in one of 3 (3 active)");
    }

    @Test
    void twoRanksThatClaimTheSameRankAreNoticed() {
        job.starts(0, 0, 1, 3);

        job.starts(2, 0, 1, 3);

        assertThat(board.violations())
                .containsExactly("in iteration 0, rank 2 and rank 0 both claim rank 1, number 2, or active rank 1");
    }

    private final ScriptedJob replacing = ScriptedJob.replacing();

    @Test
    void jobThatReplacesRanksHasSettledWithoutThoseWhoAreStillComingAndIsFullOnlyWithThem() {
        replacing.start(0, 0, 1, 2);
        assertThat(replacing.board.isFull()).isTrue();
        replacing.kill(1, 0);
        int next = replacing.launch(1, 3);
        replacing.start(1, 0, 2);

        assertThat(replacing.board.settled()).hasValue(1);
        assertThat(replacing.board.isFull()).isFalse();
        assertThat(replacing.board.live()).containsExactly(0, 2);

        replacing.waits(next, 5);
        assertThat(replacing.board.live()).containsExactly(0, 2, next);
        assertThat(replacing.board.leftOut(6)).containsExactly(next);
        assertThat(replacing.board.leftOut(5)).isEmpty();

        replacing.starts(0, 2, 0, 3);
        assertThat(replacing.board.settled()).isEmpty();
    }

    @Test
    void jobIsFullAgainWhenAllAreInTheIterationOfTheLastOneWhoJoined() {
        replacing.start(0, 0, 1, 2);
        replacing.kill(1, 0);
        int next = replacing.launch(1, 3);
        replacing.start(1, 0, 2);

        replacing.start(2, 0, 2, next);

        assertThat(replacing.board.settled()).hasValue(2);
        assertThat(replacing.board.isFull()).isTrue();
        assertThat(replacing.board.numberOf(next)).isEqualTo(3);
        assertThat(replacing.board.nameOf(next)).isEqualTo("process 3 of rank 1");
        assertThat(replacing.board.violations()).isEmpty();
    }

    @Test
    void nextGenerationSettlesWithoutThoseWhoAreGone() {
        replacing.start(0, 0, 1, 2);
        for (int process = 0; process < ScriptedJob.RANKS; process++) {
            replacing.kill(process, 0);
            replacing.launch(process, process);
        }
        assertThat(replacing.board.settled()).isEmpty();

        replacing.start(100, 3, 4, 5);

        assertThat(replacing.board.settled()).hasValue(100);
        assertThat(replacing.board.isFull()).isTrue();
        assertThat(replacing.board.iterations().generations()).isEqualTo(1);
        assertThat(replacing.board.violations()).isEmpty();
    }

    @Test
    void healthyProcessThatEndsOnItsWayIntoTheJobIsNoticed() {
        replacing.start(0, 0, 1, 2);
        int second = replacing.launch(1, 3);

        replacing.board.ended(second, 1);

        assertThat(replacing.board.violations())
                .containsExactly("process 3 of rank 1 was healthy, but its process exited with code 1");
    }

    @Test
    void whatAProcessLeavesBehindIsNoticed() {
        job.start(0, 0, 1, 2);

        board.apply(1, new ChaosEvent.LeftBehind(List.of("thread resiliency-x"), 0));

        assertThat(board.violations()).containsExactly("rank 1 left behind [thread resiliency-x]");
    }
}
