package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.job.Json;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.state.RecoveryReport.Source;
import dev.resiliency.testing.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScoreboardTest {
    private static final long MILLI = 1_000_000;
    private static final Fault EXCEPTION = Fault.parse("exception:0@30");
    private static final Fault KILL = Fault.parse("kill:1@65");

    private final Scoreboard board = new Scoreboard(new Scenario(3, 100, List.of(EXCEPTION, KILL)));

    @Test
    void jobThatMeetsAllExpectationsHasNoProblems() {
        runAsPlanned(0.97);

        assertThat(board.isOver()).isTrue();
        assertThat(Verdict.problems(board)).isEmpty();
        assertThat(board.story())
                .containsExactly(
                        "rank 0 at step 30: the function throws an exception",
                        "on from step 29, which is still in memory: 0 steps lost",
                        "restart 1: 3 of 3 ranks train again 10.0 ms after the exception of rank 0 (abort 1.5)",
                        "rank 1 at step 65: SIGKILL ends the process",
                        "on from step 64, which is still in memory: 0 steps lost",
                        "restart 2: 2 of 3 ranks train again 20.0 ms after the kill of rank 1 (abort 1.5)");
    }

    @Test
    void reserveThatTakesOverIsReported() {
        Scoreboard withReserve = new Scoreboard(new Scenario(3, 2, 100, List.of(KILL)));
        withReserve.apply(0, Events.entered(0, 0, 0));
        withReserve.apply(1, Events.entered(1, 0, 0));
        withReserve.apply(2, Events.standsBy(2, 0, 0));
        assertThat(withReserve.ranks().get(2).phase()).isEqualTo(Phase.RESERVE);

        withReserve.apply(1, new DemoEvent.FaultDue("kill:1@65", 65, MILLI));
        withReserve.apply(
                0,
                new DemoEvent.Restarted(
                        0, 1, Kind.TERMINATED, List.of(), MILLI, Map.of(RestartReport.Phase.ABORT, 1_500_000L)));
        withReserve.apply(0, Events.entered(0, 1, 3 * MILLI));
        withReserve.apply(2, Events.entered(2, 1, 4 * MILLI));

        assertThat(withReserve.story())
                .containsExactly(
                        "rank 1 at step 65: SIGKILL ends the process",
                        "rank 2, a reserve, takes over",
                        "restart 1: 2 of 3 ranks train again 3.0 ms after the kill of rank 1 (abort 1.5)");
    }

    @Test
    void replacementThatJoinsIsReportedAndTheWorldIsWholeAgain() {
        Scoreboard replacing = replacing(2, 2);
        replacing.apply(0, Events.entered(0, 0, 0));
        replacing.apply(1, Events.entered(1, 0, 0));
        replacing.apply(1, new DemoEvent.FaultDue("kill:1@65", 65, MILLI));
        replacing.ended(1, 137, 2 * MILLI);
        assertThat(replacing.isOver()).isFalse();
        replacing.startsAgain(1, 4711);
        replacing.apply(0, restarted(0, 1, Kind.TERMINATED));
        replacing.apply(0, Events.entered(0, 1, 3 * MILLI));
        replacing.apply(1, new DemoEvent.Waits());
        replacing.apply(0, restarted(1, 2, Kind.SCALE_UP));
        replacing.apply(1, Events.joined(2, 2, 41 * MILLI));
        replacing.apply(0, Events.entered(0, 2, 42 * MILLI));
        finish(replacing, 0.97, 0.97);

        assertThat(Verdict.problems(replacing)).isEmpty();
        assertThat(replacing.story())
                .containsExactly(
                        "rank 1 at step 65: SIGKILL ends the process",
                        "rank 1 is started again, as process 4711",
                        "restart 1: 1 of 2 ranks train again 2.0 ms after the kill of rank 1 (abort 1.5)",
                        "rank 2 joined 40.0 ms after the loss of rank 1, for which it was started: 2 of 2 ranks train",
                        "restart 2: 8.0 ms to take in rank 2 (abort 1.5)");
        JsonNode json = Json.MAPPER.valueToTree(DemoReport.of(replacing, Duration.ofSeconds(9)));
        assertThat(json.get("worldSizeAtEnd").intValue()).isEqualTo(2);
        assertThat(json.get("generation").intValue()).isZero();
        assertThat(json.get("joins")).hasSize(1);
        JsonNode join = json.get("joins").get(0);
        assertThat(join.get("iteration").intValue()).isEqualTo(2);
        assertThat(join.get("rank").intValue()).isEqualTo(2);
        assertThat(join.get("replaces").intValue()).isEqualTo(1);
        assertThat(join.get("msFromFault").doubleValue()).isEqualTo(40);
    }

    @Test
    void replacementThatWaitsAsASpareUntilTheEndIsPartOfTheWorld() {
        Scoreboard replacing = replacing(3, 2);
        replacing.apply(0, Events.entered(0, 0, 0));
        replacing.apply(1, Events.entered(1, 0, 0));
        replacing.apply(2, Events.standsBy(2, 0, 0));
        replacing.apply(1, new DemoEvent.FaultDue("kill:1@65", 65, MILLI));
        replacing.ended(1, 137, 2 * MILLI);
        replacing.startsAgain(1, 4711);
        replacing.apply(0, Events.entered(0, 1, 3 * MILLI));
        replacing.apply(0, new DemoEvent.Measured(80, 0.5, 0.9));
        replacing.apply(2, Events.entered(2, 1, 3 * MILLI));
        replacing.apply(1, new DemoEvent.Waits());
        finish(replacing, 0.97, null, 0.97);

        assertThat(Verdict.problems(replacing)).isEmpty();
        assertThat(replacing.story()).contains("rank 1 waits until it is needed");
        assertThat(Verdict.worldSizeAtEnd(replacing)).isEqualTo(3);
        assertThat(replacing.recoveries().joins()).isEmpty();
    }

    @Test
    void replacementThatComesTooLateIsAProblem() {
        Scoreboard replacing = replacing(2, 2);
        replacing.apply(0, Events.entered(0, 0, 0));
        replacing.apply(1, Events.entered(1, 0, 0));
        replacing.apply(1, new DemoEvent.FaultDue("kill:1@65", 65, MILLI));
        replacing.ended(1, 137, 2 * MILLI);
        replacing.startsAgain(1, 4711);
        replacing.apply(0, Events.entered(0, 1, 3 * MILLI));
        replacing.apply(1, new DemoEvent.Waits());
        finish(replacing, 0.97, null);

        assertThat(Verdict.problems(replacing))
                .containsExactly(
                        "the world had 1 of 2 ranks at the end: with more --steps, replacements have more time to join");
    }

    @Test
    void processThatSomebodyKillsIsNoProblemIfItIsReplaced() {
        Scoreboard replacing = new Scoreboard(new Scenario(1, 1, 100, List.of(), List.of(), true));
        replacing.apply(0, Events.entered(0, 0, 0));
        replacing.ended(0, 137, MILLI);
        assertThat(replacing.story()).containsExactly("the process of rank 0 exited with code 137");
        replacing.startsAgain(0, 4711);
        replacing.apply(0, Events.founded(0, 1, 100, 51 * MILLI));
        finish(replacing, 0.97);

        assertThat(Verdict.problems(replacing)).isEmpty();
    }

    @Test
    void rankThatIsGivenUpIsAProblem() {
        Scoreboard replacing = replacing(2, 2);
        for (int process = 1; process <= 2; process++) {
            replacing.apply(1, new DemoEvent.Failed("StoreLostException: gone", MILLI));
            replacing.ended(1, 1, MILLI);
        }
        replacing.givenUp(1);

        assertThat(replacing.problems())
                .containsExactly(
                        "rank 1 left the job: StoreLostException: gone",
                        "rank 1 has lost 6 processes: it is not started again");
        assertThat(Verdict.problems(replacing)).contains("the world had 0 of 2 ranks at the end");
    }

    @Test
    void deathOfAllBeginsAGenerationFromTheCheckpoint() {
        DemoFault all = DemoFault.parse("kill:all@80");
        Scoreboard replacing = new Scoreboard(Scenario.of(2, 2, 100, List.of(all), false));
        replacing.apply(0, Events.entered(0, 0, 0));
        replacing.apply(1, Events.entered(1, 0, 0));
        replacing.apply(0, Events.recovered(0, Source.CHECKPOINT));
        replacing.allKilled(all, 80, MILLI);
        for (int rank : List.of(0, 1)) {
            replacing.apply(rank, new DemoEvent.Measured(80, 0.5, 0.9)); // was on its way, and counts no more
            replacing.ended(rank, 137, 2 * MILLI);
            replacing.startsAgain(rank, 4711 + rank);
        }
        for (int rank : List.of(0, 1)) {
            replacing.apply(rank, Events.founded(rank, 1, 100, (31 + 10 * rank) * MILLI));
            replacing.apply(rank, Events.recovered(50, Source.CHECKPOINT));
        }
        finish(replacing, 0.97, 0.97);

        assertThat(Verdict.problems(replacing)).isEmpty();
        assertThat(replacing.story())
                .containsExactly(
                        "step 80: SIGKILL ends the process, on all ranks",
                        "rank 0 is started again, as process 4711",
                        "rank 1 is started again, as process 4712",
                        "back to the checkpoint of step 50: 29 steps lost",
                        "generation 1 began in iteration 100: all ranks are back 40.0 ms after the loss of the last one");
        DemoReport report = DemoReport.of(replacing, Duration.ofSeconds(9));
        assertThat(report.generation()).isEqualTo(1);
        assertThat(report.worldSizeAtEnd()).isEqualTo(2);
        assertThat(report.joins()).isEmpty();
        assertThat(report.restarts()).isEmpty();
        assertThat(report.stepsLost()).isEqualTo(29);
    }

    @Test
    void lostHostIsNoticedWhenTheOthersRestartWithoutIt() {
        enterAll(4, 0);
        board.apply(1, new DemoEvent.FaultDue("host-loss:1@65", 65, MILLI));

        assertThat(board.lostHosts(3)).isEmpty();
        assertThat(board.lostHosts(4)).containsExactly(1);
        board.startsAgain(1, 4711);
        assertThat(board.lostHosts(4)).isEmpty();
    }

    @Test
    void reserveUntilTheEndHasNoModelToJudge() {
        Scoreboard withReserve = new Scoreboard(new Scenario(2, 1, 100, List.of()));
        withReserve.apply(0, Events.entered(0, 0, 0));
        withReserve.apply(1, Events.standsBy(1, 0, 0));
        for (int rank : List.of(0, 1)) {
            withReserve.apply(rank, new DemoEvent.Finished(rank == 0 ? 0.97 : null));
            withReserve.ended(rank, 0, 0);
        }

        assertThat(Verdict.problems(withReserve)).isEmpty();
        assertThat(Verdict.accuracy(withReserve)).hasValue(0.97);
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
    void summaryShowsTheRestartTimes() {
        runAsPlanned(0.97);
        DemoOutcome outcome = new DemoOutcome(DemoReport.of(board, Duration.ofSeconds(17)), List.of(), Path.of("logs"));

        assertThat(outcome.summary())
                .contains("RESTARTED in 10.0 ms after the exception of rank 0; state from memory")
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
        board.apply(2, new DemoEvent.Finished(0.98));

        assertThat(Verdict.problems(board)).containsExactly("the ranks finished with different models");
    }

    @Test
    void everyLostSurvivorAndEveryFaultThatDidNotHappenIsAProblem() {
        enterAll(0, 0);
        board.apply(0, new DemoEvent.Failed("StoreLostException: gone", MILLI));
        board.ended(0, 1, 0);
        board.ended(1, 134, 0);
        board.apply(2, new DemoEvent.Finished(0.97));
        board.ended(2, 3, 0);

        assertThat(Verdict.problems(board))
                .containsExactly(
                        "rank 0 left the job: StoreLostException: gone",
                        "the process of rank 1 exited with code 134",
                        "rank 2 finished, but its process exited with code 3",
                        "the fault exception:0@30 did not happen",
                        "the fault kill:1@65 did not happen");
        assertThat(DemoReport.of(board, Duration.ofSeconds(1)).survivors()).isEqualTo(1);
    }

    @Test
    void lateReportsOfALostRankAreIgnored() {
        enterAll(0, 0);
        board.apply(1, new DemoEvent.FaultDue("kill:1@65", 65, MILLI));
        board.apply(1, Events.entered(1, 1, MILLI));
        board.ended(1, 137, 0);

        assertThat(board.ranks().get(1).phase()).isEqualTo(Phase.LOST);
        assertThat(board.problems()).isEmpty();
    }

    @Test
    void rankThatLeavesAsExpectedIsNotAProblem() {
        enterAll(0, 0);
        board.apply(1, new DemoEvent.FaultDue("out-of-memory:1@65", 65, MILLI));
        board.apply(1, new DemoEvent.Failed("java.lang.OutOfMemoryError: Java heap space", MILLI));
        board.ended(1, 1, 0);

        assertThat(board.problems()).isEmpty();
        assertThat(board.story()).contains("rank 1 has left the job: java.lang.OutOfMemoryError: Java heap space");
    }

    @Test
    void rankThatSurvivesADeadlyFaultIsAProblem() {
        enterAll(0, 0);
        board.apply(1, new DemoEvent.FaultDue("kill:1@65", 65, MILLI));
        board.apply(1, new DemoEvent.Finished(0.97));

        assertThat(board.problems()).containsExactly("rank 1 should have been lost, but finished");
    }

    @Test
    void frozenProcessIsNotAwaited() {
        enterAll(0, 0);
        board.apply(1, new DemoEvent.FaultDue("host-loss:1@65", 65, MILLI));
        board.ended(0, 0, 0);
        assertThat(board.isOver()).isFalse();
        board.ended(2, 0, 0);

        assertThat(board.isOver()).isTrue();
        assertThat(board.ranks().get(1).standsStill()).isTrue();
    }

    @Test
    void rankThatNeverFinishesIsAProblem() {
        enterAll(0, 0);

        assertThat(Verdict.problems(board))
                .contains(
                        "rank 0 should have survived, but did not finish",
                        "rank 2 should have survived, but did not finish")
                .noneMatch(problem -> problem.contains("rank 1 should"));
    }

    @Test
    void withoutAnySurvivorThereIsNoAccuracy() {
        board.ended(0, 1, 0);
        board.ended(1, 1, 0);
        board.ended(2, 1, 0);

        assertThat(DemoReport.of(board, Duration.ofSeconds(1)).accuracy()).isNull();
    }

    @Test
    void rankGoesBackToTheStepThatItRestores() {
        enterAll(0, 0);
        board.apply(0, new DemoEvent.Measured(80, 0.5, 0.9));
        board.apply(0, Events.entered(0, 1, MILLI));
        board.apply(0, Events.recovered(50, Source.CHECKPOINT));

        RankStatus status = board.ranks().get(0);
        assertThat(status.phase()).isEqualTo(Phase.TRAINING);
        assertThat(status.step()).isEqualTo(50);
        assertThat(status.iteration()).isEqualTo(1);
        assertThat(board.furthestStep()).isEqualTo(80);
    }

    @Test
    void eventsSurviveTheirLine() {
        List<DemoEvent> events = List.of(
                new DemoEvent.Waits(),
                new DemoEvent.Entered(1, new DemoEvent.Place(4, 1, true), 123_456_789_012L),
                new DemoEvent.AllDue("kill:all@30", 30),
                new DemoEvent.Recovered(500, Source.PEERS, List.of(0, 2), 0),
                new DemoEvent.Measured(520, 0.25, 0.96),
                new DemoEvent.FaultDue("exception:0@30", 30, 5),
                new DemoEvent.Restarted(
                        0,
                        2,
                        Kind.EXCEPTION,
                        List.of(8, 9),
                        14 * MILLI,
                        Map.of(RestartReport.Phase.LAST_CALL, 10 * MILLI)),
                new DemoEvent.Finished(0.97),
                new DemoEvent.Failed("no \"route\"\nto host", MILLI));

        assertThat(events).allSatisfy(event -> {
            assertThat(event.toLine()).doesNotContain("\n");
            assertThat(DemoEvent.parse(event.toLine())).isEqualTo(event);
        });
    }

    private static Scoreboard replacing(int ranks, int active) {
        return new Scoreboard(new Scenario(ranks, active, 100, List.of(KILL), List.of(), true));
    }

    private static DemoEvent restarted(int iteration, int causeRank, Kind cause) {
        return new DemoEvent.Restarted(
                iteration, causeRank, cause, List.of(), 8 * MILLI, Map.of(RestartReport.Phase.ABORT, 1_500_000L));
    }

    private static void finish(Scoreboard board, @Nullable Double... accuracies) {
        for (int rank = 0; rank < accuracies.length; rank++) {
            board.apply(rank, new DemoEvent.Finished(accuracies[rank]));
            board.ended(rank, 0, 0);
        }
    }

    private void runAsPlanned(double accuracy) {
        enterAll(0, 0);
        board.apply(0, Events.recovered(0, Source.CHECKPOINT));
        board.apply(0, new DemoEvent.FaultDue("exception:0@30", 30, 100 * MILLI));
        restart(29, 110);
        board.apply(1, new DemoEvent.FaultDue("kill:1@65", 65, 200 * MILLI));
        board.ended(1, 137, 0);
        restart(64, 220);
        for (int rank : new int[] {0, 2}) {
            board.apply(rank, new DemoEvent.Finished(accuracy));
            board.ended(rank, 0, 0);
        }
    }

    private void restart(int step, long millis) {
        int iteration = board.ranks().get(0).iteration();
        for (int rank = 0; rank < 3; rank++) {
            if (!board.ranks().get(rank).isOver()) {
                board.apply(
                        rank,
                        new DemoEvent.Restarted(
                                iteration,
                                1,
                                Kind.TERMINATED,
                                List.of(),
                                8 * MILLI,
                                Map.of(RestartReport.Phase.ABORT, 1_500_000L)));
                board.apply(rank, Events.entered(rank, iteration + 1, millis * MILLI));
                board.apply(rank, Events.recovered(step, Source.MEMORY));
            }
        }
    }

    private void enterAll(int iteration, long nanos) {
        for (int rank = 0; rank < 3; rank++) {
            board.apply(rank, Events.entered(rank, iteration, nanos));
        }
    }
}
