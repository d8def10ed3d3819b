package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.State;
import dev.resiliency.testing.FaultKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoardTest {
    private final ScriptedJob job = new ScriptedJob(false);
    private final Board board = job.board;

    @Test
    void jobHasSettledWhenAllSurvivorsAreInTheSameIterationAndNoOtherRankIs() {
        assertThat(board.settled()).isEmpty();
        job.start(0, 0, 1, 2);
        assertThat(board.settled()).hasValue(0);

        job.inject(FaultKind.SIGKILL, Place.STEP, 1, 0);
        assertThat(board.settled()).isEmpty(); // a world of three, but two should survive
        assertThat(board.areLostGone()).isFalse();
        job.ended(1, 137);
        assertThat(board.areLostGone()).isTrue();
        job.starts(0, 1, 0, 2);
        job.apply(0, new ChaosEvent.Entered(1, 0));
        assertThat(board.settled()).isEmpty(); // rank 2 is still in iteration 0
        job.starts(2, 1, 1, 2);
        assertThat(board.settled()).isEmpty(); // it has not entered its function
        job.apply(2, new ChaosEvent.Entered(1, 0));

        assertThat(board.settled()).hasValue(1);
        assertThat(board.violations()).isEmpty();
    }

    @Test
    void healthyRankThatLeavesIsNoticed() {
        job.start(0, 0, 1, 2);

        job.apply(1, new ChaosEvent.Left("StoreLostException", "gone", 0));

        assertThat(board.violations())
                .containsExactly("rank 1 was healthy, but left the job: StoreLostException: gone");
    }

    @Test
    void healthyProcessThatEndsIsNoticedButNotOneThatWasOrderedToClose() {
        job.start(0, 0, 1, 2);
        job.apply(0, new ChaosEvent.LeftBehind(List.of(), 0));

        job.ended(0, 0);
        job.ended(1, 143);

        assertThat(board.violations()).containsExactly("rank 1 was healthy, but its process exited with code 143");
    }

    @Test
    void ranksThatDisagreeAboutTheWorldOrClaimTheSameRankAreNoticed() {
        job.starts(0, 0, 0, 3);

        job.starts(1, 0, 1, 2);
        assertThat(board.violations()).singleElement().asString().startsWith("rank 1 and rank 0 contradict each other");

        job.starts(2, 0, 0, 3);
        assertThat(board.violations()).element(1).asString().startsWith("rank 2 and rank 0 contradict each other");
    }

    @Test
    void jobHasSettledWithoutThoseWhoAreStillComingAndIsFullOnlyWithThem() {
        job.start(0, 0, 1, 2);
        assertThat(board.isFull()).isTrue();
        job.kill(1, 0);
        int next = job.launch(1, 3);
        job.start(1, 0, 2);

        assertThat(board.settled()).hasValue(1);
        assertThat(board.isFull()).isFalse();

        job.waits(next, 5);
        assertThat(board.leftOut(6)).extracting(process -> process.index).containsExactly(next);
        assertThat(board.leftOut(5)).isEmpty();

        job.starts(0, 2, 0, 3);
        assertThat(board.settled()).isEmpty();
    }

    @Test
    void nextGenerationSettlesWithoutThoseWhoAreGone() {
        job.start(0, 0, 1, 2);
        for (int process = 0; process < ScriptedJob.RANKS; process++) {
            job.kill(process, 0);
            job.launch(process, process);
        }
        assertThat(board.settled()).isEmpty();

        job.start(100, 3, 4, 5);

        assertThat(board.settled()).hasValue(100);
        assertThat(board.isFull()).isTrue();
        assertThat(board.iterations.generations()).isEqualTo(1);
        assertThat(board.violations()).isEmpty();
    }

    @Test
    void healthyProcessThatEndsOnItsWayIntoTheJobIsNoticed() {
        job.start(0, 0, 1, 2);
        int second = job.launch(1, 3);

        job.ended(second, 1);

        assertThat(board.violations())
                .containsExactly("process 3 of rank 1 was healthy, but its process exited with code 1");
    }

    @Test
    void agentsMayEndProcessesAndASpareHasTheRankOfAnother() {
        Board underAgents = new Board(1, 1, new Timeline(0));
        ProcessView spare = underAgents.launched("spare 0.1", -1, 0, 100);
        underAgents.apply(spare, new ChaosEvent.Started(new State(0, 1, 0, 1, State.Mode.ACTIVE, 0, 1, 0), 0));
        underAgents.ended(spare, 1);

        assertThat(underAgents.violations()).isEmpty();
        assertThat(underAgents.survivors()).isEmpty();
    }

    @Test
    void interruptionLastsFromTheFaultUntilThoseWhoAreLeftGoOnTogether() {
        job.start(0, 0, 1, 2);
        job.enters(1, 100, 0, 1, 2);
        job.kill(1, 1);
        job.enters(2, 350, 0);
        job.enters(3, 400, 0, 2);
        job.enters(4, 500, 0, 2);

        assertThat(board.interruption(300, 0, 4)).isEqualTo(100);
    }

    @Test
    void faultThatInterruptsNobodyTakesNoTime() {
        job.start(0, 0, 1, 2);

        assertThat(board.interruption(300, 0, 0)).isZero();
    }

    @Test
    void whatAProcessLeavesBehindIsNoticed() {
        job.start(0, 0, 1, 2);

        job.apply(1, new ChaosEvent.LeftBehind(List.of("thread resiliency-x"), 0));

        assertThat(board.violations()).containsExactly("rank 1 left behind [thread resiliency-x]");
    }
}
