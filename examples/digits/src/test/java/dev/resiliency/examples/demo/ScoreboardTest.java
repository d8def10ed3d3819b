package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.job.Json;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.fault.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScoreboardTest {
    private static final long MILLI = 1_000_000;
    private static final Fault EXCEPTION = Fault.parse("exception:0@30");
    private static final Fault KILL = Fault.parse("kill:1@65");

    private final Scoreboard board = new Scoreboard(new Scenario(3, 100, List.of(EXCEPTION, KILL)));

    @Test
    void jobThatDoesWhatItShouldHasNoProblems() {
        runAsPlanned(0.97);

        assertThat(board.isOver()).isTrue();
        assertThat(Verdict.problems(board)).isEmpty();
        assertThat(board.story())
                .containsExactly(
                        "rank 0 at step 30: the function throws an exception",
                        "back to the beginning",
                        "restart 1: 3 of 3 ranks train again 10.0 ms after the exception of rank 0 (abort 1.5)",
                        "rank 1 at step 65: SIGKILL ends the process",
                        "back to the checkpoint of step 50",
                        "restart 2: 2 of 3 ranks train again 20.0 ms after the kill of rank 1 (abort 1.5)");
    }

    @Test
    void spareThatStepsInIsTold() {
        Scoreboard withSpare = new Scoreboard(new Scenario(3, 2, 100, List.of(KILL)));
        withSpare.told(0, new RankEvent.Entered(0, 0));
        withSpare.told(1, new RankEvent.Entered(0, 0));
        withSpare.told(2, new RankEvent.StandsBy(0, 0));
        assertThat(withSpare.ranks().get(2).phase()).isEqualTo(Phase.SPARE);

        withSpare.told(1, new RankEvent.FaultDue("kill:1@65", 65, MILLI));
        withSpare.told(
                0,
                new RankEvent.Restarted(0, 1, Kind.TERMINATED, MILLI, Map.of(RestartReport.Phase.ABORT, 1_500_000L)));
        withSpare.told(0, new RankEvent.Entered(1, 3 * MILLI));
        withSpare.told(2, new RankEvent.Entered(1, 4 * MILLI));

        assertThat(withSpare.story())
                .containsExactly(
                        "rank 1 at step 65: SIGKILL ends the process",
                        "rank 2, a spare, steps in",
                        "restart 1: 2 of 3 ranks train again 3.0 ms after the kill of rank 1 (abort 1.5)");
    }

    @Test
    void spareToTheEndHasNoModelToJudge() {
        Scoreboard withSpare = new Scoreboard(new Scenario(2, 1, 100, List.of()));
        withSpare.told(0, new RankEvent.Entered(0, 0));
        withSpare.told(1, new RankEvent.StandsBy(0, 0));
        for (int rank : List.of(0, 1)) {
            withSpare.told(rank, new RankEvent.Finished(rank == 0 ? 0.97 : null));
            withSpare.ended(rank, 0);
        }

        assertThat(Verdict.problems(withSpare)).isEmpty();
        assertThat(Verdict.accuracy(withSpare)).hasValue(0.97);
    }

    @Test
    void reportHasTheFieldsThatProgramsRead() {
        runAsPlanned(0.97);

        JsonNode json = Json.MAPPER.valueToTree(DemoReport.of(board, Duration.ofMillis(17_300)));

        assertThat(json.get("ranks").intValue()).isEqualTo(3);
        assertThat(json.get("survivors").intValue()).isEqualTo(2);
        assertThat(json.get("steps").intValue()).isEqualTo(100);
        assertThat(json.get("accuracy").doubleValue()).isEqualTo(0.97);
        assertThat(json.get("wallSeconds").doubleValue()).isEqualTo(17.3);
        JsonNode restart = json.get("restarts").get(1);
        assertThat(restart.get("iteration").intValue()).isEqualTo(1);
        assertThat(restart.get("cause").textValue()).isEqualTo("kill");
        assertThat(restart.get("rank").intValue()).isEqualTo(1);
        assertThat(restart.get("totalMs").doubleValue()).isEqualTo(20);
        assertThat(restart.get("phases").get("abort").doubleValue()).isEqualTo(1.5);
    }

    @Test
    void summaryTellsTheRestartTimes() {
        runAsPlanned(0.97);
        Outcome outcome = new Outcome(DemoReport.of(board, Duration.ofSeconds(17)), List.of(), Path.of("logs"));

        assertThat(outcome.summary())
                .contains("RESTARTED in 10.0 ms after the exception of rank 0")
                .noneMatch(line -> line.contains("logs"));
    }

    @Test
    void lowAccuracyIsAProblem() {
        runAsPlanned(0.949);

        assertThat(Verdict.problems(board))
                .containsExactly("the accuracy on held-out digits is 94.9 %, which is less than 95 %");
    }

    @Test
    void ranksThatDisagreeAreAProblem() {
        runAsPlanned(0.97);
        board.told(2, new RankEvent.Finished(0.98));

        assertThat(Verdict.problems(board)).containsExactly("the ranks have ended with different models");
    }

    @Test
    void everyLostSurvivorAndEveryFaultThatDidNotHappenIsAProblem() {
        enterAll(0, 0);
        board.told(0, new RankEvent.Failed("StoreLostException: gone"));
        board.ended(0, 1);
        board.ended(1, 134);
        board.told(2, new RankEvent.Finished(0.97));
        board.ended(2, 3);

        assertThat(Verdict.problems(board))
                .containsExactly(
                        "rank 0 left the job: StoreLostException: gone",
                        "the process of rank 1 died, with code 134",
                        "rank 2 trained to the end, but then its process ended with code 3",
                        "the fault exception:0@30 has not happened",
                        "the fault kill:1@65 has not happened");
        assertThat(DemoReport.of(board, Duration.ofSeconds(1)).survivors()).isEqualTo(1);
    }

    @Test
    void whatALostRankHadStillToTellCountsNoMore() {
        enterAll(0, 0);
        board.told(1, new RankEvent.FaultDue("kill:1@65", 65, MILLI));
        board.told(1, new RankEvent.Entered(1, MILLI));
        board.ended(1, 137);

        assertThat(board.ranks().get(1).phase()).isEqualTo(Phase.LOST);
        assertThat(board.problems()).isEmpty();
    }

    @Test
    void rankThatLeavesAsItShouldIsNoProblem() {
        enterAll(0, 0);
        board.told(1, new RankEvent.FaultDue("out-of-memory:1@65", 65, MILLI));
        board.told(1, new RankEvent.Failed("java.lang.OutOfMemoryError: Java heap space"));
        board.ended(1, 1);

        assertThat(board.problems()).isEmpty();
        assertThat(board.story()).contains("rank 1 has left the job: java.lang.OutOfMemoryError: Java heap space");
    }

    @Test
    void rankThatSurvivesWhatItShouldNotIsAProblem() {
        enterAll(0, 0);
        board.told(1, new RankEvent.FaultDue("kill:1@65", 65, MILLI));
        board.told(1, new RankEvent.Finished(0.97));

        assertThat(board.problems()).containsExactly("rank 1 should have been lost, but has come to the end");
    }

    @Test
    void processThatStandsStillIsNotWaitedFor() {
        enterAll(0, 0);
        board.told(1, new RankEvent.FaultDue("host-loss:1@65", 65, MILLI));
        board.ended(0, 0);
        assertThat(board.isOver()).isFalse();
        board.ended(2, 0);

        assertThat(board.isOver()).isTrue();
        assertThat(board.ranks().get(1).standsStill()).isTrue();
    }

    @Test
    void rankThatNeverComesToItsEndIsAProblem() {
        enterAll(0, 0);

        assertThat(Verdict.problems(board))
                .contains(
                        "rank 0 should have survived, but has not come to its end",
                        "rank 2 should have survived, but has not come to its end")
                .noneMatch(problem -> problem.contains("rank 1 should"));
    }

    @Test
    void withoutAnySurvivorThereIsNoAccuracy() {
        board.ended(0, 1);
        board.ended(1, 1);
        board.ended(2, 1);

        assertThat(DemoReport.of(board, Duration.ofSeconds(1)).accuracy()).isNull();
    }

    @Test
    void rankGoesBackToTheStepThatItRestores() {
        enterAll(0, 0);
        board.told(0, new RankEvent.Measured(80, 0.5, 0.9));
        board.told(0, new RankEvent.Entered(1, MILLI));
        board.told(0, new RankEvent.Restored(50));

        RankStatus status = board.ranks().get(0);
        assertThat(status.phase()).isEqualTo(Phase.TRAINING);
        assertThat(status.step()).isEqualTo(50);
        assertThat(status.iteration()).isEqualTo(1);
        assertThat(board.furthestStep()).isEqualTo(80);
    }

    @Test
    void eventsSurviveTheirLine() {
        List<RankEvent> events = List.of(
                new RankEvent.Entered(1, 123_456_789_012L),
                new RankEvent.Restored(500),
                new RankEvent.Measured(520, 0.25, 0.96),
                new RankEvent.FaultDue("exception:0@30", 30, 5),
                new RankEvent.Restarted(
                        0, 2, Kind.EXCEPTION, 14 * MILLI, Map.of(RestartReport.Phase.LAST_CALL, 10 * MILLI)),
                new RankEvent.Finished(0.97),
                new RankEvent.Failed("no \"route\"\nto host"));

        assertThat(events).allSatisfy(event -> {
            assertThat(event.toLine()).doesNotContain("\n");
            assertThat(RankEvent.parse(event.toLine())).isEqualTo(event);
        });
    }

    private void runAsPlanned(double accuracy) {
        enterAll(0, 0);
        board.told(0, new RankEvent.FaultDue("exception:0@30", 30, 100 * MILLI));
        restart(0, 110);
        board.told(1, new RankEvent.FaultDue("kill:1@65", 65, 200 * MILLI));
        board.ended(1, 137);
        restart(50, 220);
        for (int rank : new int[] {0, 2}) {
            board.told(rank, new RankEvent.Finished(accuracy));
            board.ended(rank, 0);
        }
    }

    private void restart(int step, long millis) {
        int iteration = board.ranks().get(0).iteration();
        for (int rank = 0; rank < 3; rank++) {
            if (!board.ranks().get(rank).isOver()) {
                board.told(
                        rank,
                        new RankEvent.Restarted(
                                iteration,
                                1,
                                Kind.TERMINATED,
                                8 * MILLI,
                                Map.of(RestartReport.Phase.ABORT, 1_500_000L)));
                board.told(rank, new RankEvent.Entered(iteration + 1, millis * MILLI));
                board.told(rank, new RankEvent.Restored(step));
            }
        }
    }

    private void enterAll(int iteration, long nanos) {
        for (int rank = 0; rank < 3; rank++) {
            board.told(rank, new RankEvent.Entered(iteration, nanos));
        }
    }
}
