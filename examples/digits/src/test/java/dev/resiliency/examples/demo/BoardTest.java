package dev.resiliency.examples.demo;

import static dev.resiliency.examples.demo.Events.board;
import static dev.resiliency.examples.demo.Events.entered;
import static dev.resiliency.examples.demo.Events.fault;
import static dev.resiliency.examples.demo.Events.founded;
import static dev.resiliency.examples.demo.Events.joined;
import static dev.resiliency.examples.demo.Events.recovered;
import static dev.resiliency.examples.demo.Events.report;
import static dev.resiliency.examples.demo.Events.restarted;
import static dev.resiliency.examples.demo.Events.standsBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.demo.DemoEvent.Failed;
import dev.resiliency.examples.demo.DemoEvent.Finished;
import dev.resiliency.examples.demo.DemoEvent.Measured;
import dev.resiliency.examples.demo.DemoEvent.Report;
import dev.resiliency.examples.demo.DemoEvent.Waits;
import dev.resiliency.examples.demo.RankStatus.Phase;
import dev.resiliency.examples.job.Json;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.state.RecoveryReport.Source;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BoardTest {
    private final Board board = board(3, 3, false, "exception:0@30", "kill:1@65");

    @Test
    void jobThatMeetsAllExpectationsHasNoProblems() {
        enterAll();
        apply(board, recovered(0, 0, Source.CHECKPOINT), fault(0, "exception:0@30", 30, 100));
        restart(29, 110);
        apply(board, fault(1, "kill:1@65", 65, 200));
        board.ended(1, 137);
        restart(64, 220);
        for (int rank : new int[] {0, 2}) {
            apply(board, report(rank, 300, new Finished(0.97)));
            board.ended(rank, 0);
        }

        assertThat(board.isOver()).isTrue();
        assertThat(problems(board)).isEmpty();
        assertThat(board.story)
                .containsExactly(
                        "rank 0 at step 30, on purpose: the function throws an exception",
                        "continues after step 29, whose state is in memory: 0 steps lost",
                        "restart 1: 3 of 3 ranks are training again 10.0 ms after the exception on rank 0",
                        "rank 1 at step 65, on purpose: SIGKILL ends the process",
                        "continues after step 64, whose state is in memory: 0 steps lost",
                        "restart 2: 2 of 3 ranks are training again 20.0 ms after the kill on rank 1");
        assertThat(judge(board).summary())
                .containsExactly(
                        "",
                        "2 of 3 ranks finished: 100 steps in 9.0 s",
                        "97.0 % of the held-out digits are classified correctly",
                        "RESTARTED 10.0 ms after the exception on rank 0; state from memory",
                        "RESTARTED 20.0 ms after the kill on rank 1; state from memory",
                        "STEPS LOST: 0");
    }

    @Test
    void replacementThatJoinsIsReportedAndTheWorldIsWholeAgain() {
        Board replacing = replacing(2, 2);
        assertThat(replacing.isOver()).isFalse();
        apply(
                replacing,
                restarted(0, 2, 0, 1, Kind.TERMINATED),
                entered(0, 1, 3),
                report(1, 40, new Waits()),
                restarted(0, 40, 1, 2, Kind.SCALE_UP),
                joined(1, 2, 2, 41),
                entered(0, 2, 42));
        finish(replacing, 0.97, 0.97);

        assertThat(problems(replacing)).isEmpty();
        assertThat(replacing.label(1)).isEqualTo("1 (2)");
        assertThat(replacing.story)
                .containsExactly(
                        "rank 1 at step 65, on purpose: SIGKILL ends the process",
                        "rank 1 is started again, as process 4711",
                        "restart 1: 1 of 2 ranks are training again 2.0 ms after the kill on rank 1",
                        "rank 2 joined for rank 1, which was lost: 2 of 2 ranks train",
                        "restart 2: in 8.0 ms to take in rank 2");
        assertThat(judge(replacing).worldSizeAtEnd()).isEqualTo(2);
        assertThat(judge(replacing).generation()).isZero();
        assertThat(judge(replacing).joins()).containsExactly(new Board.Join(2, 2, 1));
    }

    @Test
    void replacementThatDiesBeforeItTakesPartDelaysTheJoinAndIsReplacedInItsTurn() {
        Board replacing = replacing(2, 2);
        apply(replacing, report(1, 20, new Failed("too late")));
        replacing.ended(1, 1);
        replacing.startsAgain(1, 4712);
        apply(replacing, joined(1, 5, 3, 51), fault(1, "kill:1@90", 90, 60));
        replacing.ended(1, 137);
        replacing.startsAgain(1, 4713);
        apply(replacing, joined(1, 6, 5, 130));

        assertThat(replacing.joins).containsExactly(new Board.Join(3, 5, 1), new Board.Join(5, 6, 5));
    }

    @Test
    void replacementThatWaitsAsASpareUntilTheEndIsPartOfTheWorld() {
        Board replacing = replacing(3, 2);
        apply(
                replacing,
                entered(0, 1, 3),
                report(0, 3, new Measured(80, 0.5, 0.9)),
                entered(2, 1, 3),
                report(1, 4, new Waits()));
        finish(replacing, 0.97, null, 0.97);

        assertThat(problems(replacing)).isEmpty();
        assertThat(replacing.story).contains("rank 1 waits until it is needed");
        assertThat(judge(replacing).worldSizeAtEnd()).isEqualTo(3);
        assertThat(replacing.joins).isEmpty();
    }

    @Test
    void replacementThatComesTooLateIsAProblem() {
        Board replacing = replacing(2, 2);
        apply(replacing, entered(0, 1, 3), report(1, 4, new Waits()));
        finish(replacing, 0.97, null);

        assertThat(problems(replacing))
                .containsExactly(
                        "the world had 1 of 2 ranks at the end: with more --steps, replacements have more time to join");
    }

    @Test
    void deathOfAllBeginsAGenerationFromTheCheckpoint() {
        Board replacing = board(2, 2, true, "kill:all@80");
        apply(replacing, entered(0, 0, 0), entered(1, 0, 0), recovered(0, 0, Source.CHECKPOINT));
        apply(replacing, fault(1, "kill:all@80", 80, 1));
        for (int rank : List.of(0, 1)) {
            apply(replacing, report(rank, 2, new Measured(80, 0.5, 0.9))); // was on its way, and counts no more
            replacing.ended(rank, 137);
            replacing.startsAgain(rank, 4711 + rank);
        }
        for (int rank : List.of(0, 1)) {
            apply(replacing, founded(rank, 1, 100, 31 + 10 * rank), recovered(rank, 50, Source.CHECKPOINT));
        }
        finish(replacing, 0.97, 0.97);

        assertThat(problems(replacing)).isEmpty();
        assertThat(replacing.story)
                .containsExactly(
                        "step 80, on purpose: SIGKILL ends the process, on all ranks",
                        "rank 0 is started again, as process 4711",
                        "rank 1 is started again, as process 4712",
                        "back to the checkpoint of step 50: 29 steps lost",
                        "generation 1 began in iteration 100: all ranks are back");
        DemoReport report = judge(replacing);
        assertThat(report.generation()).isEqualTo(1);
        assertThat(report.worldSizeAtEnd()).isEqualTo(2);
        assertThat(report.joins()).isEmpty();
        assertThat(report.restarts()).isEmpty();
        assertThat(report.stepsLost()).isEqualTo(29);
        assertThat(report.summary()).contains("STARTED AGAIN from the last checkpoint: the job ended in generation 1");
    }

    @Test
    void lostHostIsNoticedWhenTheOthersRestartWithoutIt() {
        enterAll();
        apply(board, fault(1, "host-loss:1@65", 65, 1));
        assertThat(board.lostHosts()).isEmpty();

        apply(board, entered(0, 1, 9));
        assertThat(board.lostHosts()).containsExactly(1);
        board.startsAgain(1, 4711);
        assertThat(board.lostHosts()).isEmpty();
    }

    @Test
    void everyLostSurvivorAndEveryFaultThatDidNotHappenIsAProblem() {
        enterAll();
        apply(board, report(0, 1, new Failed("StoreLostException: gone")));
        board.ended(0, 1);
        board.ended(1, 134);
        apply(board, report(2, 1, new Finished(0.97)));
        board.ended(2, 3);

        assertThat(problems(board))
                .containsExactly(
                        "rank 0 left the job: StoreLostException: gone",
                        "the process of rank 1 exited with code 134",
                        "rank 2 finished, but its process exited with code 3",
                        "the fault exception:0@30 did not happen",
                        "the fault kill:1@65 did not happen");
        assertThat(judge(board).survivors()).isEqualTo(1);
        assertThat(judge(board).summary()).contains("FAILED: the process of rank 1 exited with code 134");
    }

    @Test
    void lateReportsOfALostRankAreIgnoredUnlessItHasFinished() {
        enterAll();
        apply(board, fault(1, "kill:1@65", 65, 1), entered(1, 1, 1));
        assertThat(board.ranks.get(1).phase).isEqualTo(Phase.LOST);
        assertThat(board.problems).isEmpty();

        apply(board, report(1, 1, new Finished(0.97)));
        assertThat(board.problems).containsExactly("rank 1 should have been lost, but finished");
    }

    @Test
    void reportsSurviveTheirLine() {
        List<Report> reports = List.of(
                report(3, 1, new Waits()),
                joined(1, 4, 1, 123_456),
                recovered(0, 500, Source.PEERS),
                report(0, 2, new Measured(520, 0.25, 0.96)),
                fault(0, "exception:0@30", 30, 5),
                restarted(2, 14, 0, 2, Kind.EXCEPTION, 8, 9),
                report(2, 15, new Finished(0.97)),
                report(1, 16, new Failed("no \"route\"\nto host")));

        assertThat(reports).allSatisfy(report -> {
            assertThat(Json.line(report)).doesNotContain("\n");
            assertThat(Json.read(Json.line(report), Report.class)).contains(report);
        });
        assertThat(Json.read("[Gloo] Rank 0 is connected", Report.class)).isEmpty();
    }

    /** Returns a job of which rank 1 was killed, and started again as process 4711. */
    private static Board replacing(int ranks, int active) {
        Board replacing = board(ranks, active, true, "kill:1@65");
        for (int rank = 0; rank < ranks; rank++) {
            apply(replacing, rank < active ? entered(rank, 0, 0) : standsBy(rank, 0, 0));
        }
        apply(replacing, fault(1, "kill:1@65", 65, 1));
        replacing.ended(1, 137);
        replacing.startsAgain(1, 4711);
        return replacing;
    }

    private static void apply(Board board, Report... reports) {
        List.of(reports).forEach(board::apply);
    }

    private static DemoReport judge(Board board) {
        return DemoReport.of(board, Duration.ofSeconds(9));
    }

    private static List<String> problems(Board board) {
        return judge(board).problems();
    }

    private static void finish(Board board, @Nullable Double... accuracies) {
        for (int rank = 0; rank < accuracies.length; rank++) {
            apply(board, report(rank, 500, new Finished(accuracies[rank])));
            board.ended(rank, 0);
        }
    }

    private void restart(int step, long millis) {
        int iteration = board.ranks.get(0).iteration;
        for (int rank = 0; rank < 3; rank++) {
            if (!board.ranks.get(rank).isOver()) {
                apply(
                        board,
                        restarted(rank, millis, iteration, 1, Kind.TERMINATED),
                        entered(rank, iteration + 1, millis),
                        recovered(rank, step, Source.MEMORY));
            }
        }
    }

    private void enterAll() {
        apply(board, entered(0, 0, 0), entered(1, 0, 0), entered(2, 0, 0));
    }
}
