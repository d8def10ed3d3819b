package dev.resiliency.examples.bench.chaos;

import static dev.resiliency.examples.bench.chaos.ScriptedJob.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.testing.FaultKind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JudgeTest {
    private static final ChaosEvent.Reason LOST_NEIGHBOUR = new ChaosEvent.Reason(
            0, Interruption.Kind.CONNECTION_LOST, "java.io.IOException: rank 0 of 3 receives no more from rank 2");

    private ScriptedJob job = new ScriptedJob(false);

    private List<String> judge(int before, int after, ChaosFault... batch) {
        return new Judge(job.board, job.settings, List.of(batch), Set.of()).judge(before, after);
    }

    private List<String> judgeDeath(int exitCode, Interruption.Kind classified) {
        job.start(0, 0, 1, 2);
        ChaosFault fault = job.inject(FaultKind.SIGKILL, Place.OUTSIDE, 2, 0);
        job.ended(2, exitCode);
        job.restarted(0, List.of(reason(2, classified)), 0, 1);
        return judge(0, 1, fault);
    }

    @Test
    void faultThatIsReportedOnceIsFine() {
        job.start(4, 0, 1, 2);
        ChaosFault fault = job.inject(FaultKind.EXCEPTION, Place.STEP, 1, 4);
        job.restarted(4, List.of(reason(1, Interruption.Kind.EXCEPTION)), 0, 1, 2);

        assertThat(judge(4, 5, fault)).isEmpty();
    }

    @Test
    void deathThatIsReportedIsFine() {
        assertThat(judgeDeath(137, Interruption.Kind.TERMINATED)).isEmpty();
    }

    @Test
    void deathWithAnotherExitCodeIsNoticed() {
        assertThat(judgeDeath(143, Interruption.Kind.TERMINATED))
                .singleElement()
                .asString()
                .startsWith("after kill from outside:2, rank 2 should have exited with code [137]");
    }

    @Test
    void whoHasLeftMayHostTheStoreALittleLonger() {
        for (boolean hosted : new boolean[] {true, false}) {
            job = new ScriptedJob(false, hosted);
            job.start(0, 0, 1, 2);
            ChaosFault fault = job.kill(0, 0);
            job.restarted(0, List.of(reason(0, Interruption.Kind.TERMINATED)), 1, 2);
            job.start(1, 1, 2);
            assertThat(judge(0, 1, fault)).isEmpty();
            job.restarted(1, List.of(reason(0, Interruption.Kind.TERMINATED)), 1, 2);
            job.start(2, 1, 2);

            assertThat(judge(1, 2)).hasSize(hosted ? 0 : 2);
        }
    }

    @Test
    void deathThatIsReportedByTwoIterationsIsNoticed() {
        job.start(0, 0, 1, 2);
        ChaosFault fault = job.inject(FaultKind.SIGKILL, Place.OUTSIDE, 2, 0);
        job.ended(2, 137);
        job.restarted(0, List.of(reason(2, Interruption.Kind.TERMINATED)), 0, 1);
        job.start(1, 0, 1);
        job.restarted(1, List.of(reason(2, Interruption.Kind.TERMINATED)), 0, 1);

        assertThat(judge(0, 2, fault))
                .containsExactly("kill from outside:2 is reported by several restarts, of iterations: [0, 1]");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void brokenConnectionToAStruckNeighbourIsAConsequenceUnlessRanksWait(boolean patient) {
        job = new ScriptedJob(patient);
        job.start(4, 0, 1, 2);
        ChaosFault fault = job.inject(FaultKind.ERROR, Place.STEP, 2, 4);
        job.restarted(4, List.of(reason(2, Interruption.Kind.EXCEPTION), LOST_NEIGHBOUR), 0, 1, 2);

        assertThat(judge(4, 5, fault)).hasSize(patient ? 1 : 0);
    }

    @Test
    void hangBesideAFaultIsAConsequenceButNotWithoutOne() {
        job.start(4, 0, 1, 2);
        ChaosFault fault = job.inject(FaultKind.SLEEP_FOREVER, Place.STEP, 2, 4);
        List<ChaosEvent.Reason> hang = List.of(reason(0, Interruption.Kind.SOFT_TIMEOUT));
        job.restarted(4, hang, 0, 1, 2);
        job.start(5, 0, 1, 2);
        job.restarted(5, hang, 0, 1, 2);

        assertThat(judge(4, 5, fault)).isEmpty();
        assertThat(judge(4, 6, fault)).hasSize(2).allMatch(wrong -> wrong.startsWith("iteration 5 was interrupted"));
    }

    @Test
    void rankThatAnOutageOverTheTimeoutCostsThrowsThatItCountsAsDead() {
        job.start(0, 0, 1, 2);
        ChaosFault fault = job.inject(FaultKind.HOST_LOSS, Place.NETWORK, 2, 0);
        job.restarted(0, List.of(reason(2, Interruption.Kind.TERMINATED)), 0, 1);
        job.apply(2, new ChaosEvent.Left("StoreLostException", "gone", 0));
        assertThat(judge(0, 1, fault)).singleElement().asString().startsWith("after outage over the timeout:2, rank 2");

        job.apply(2, new ChaosEvent.Left("SessionExpiredException", "its lease was not renewed", 0));
        assertThat(judge(0, 1, fault)).isEmpty();
    }

    /** The signal that wakes it comes with the one that ends it, so it is judged before or after its exit. */
    @Test
    void rankThatWasStoppedMayLearnThatItCountsAsDeadBeforeItEnds() {
        job.start(0, 0, 1, 2);
        ChaosFault fault = job.inject(FaultKind.SIGSTOP, Place.OUTSIDE, 2, 0);
        job.restarted(0, List.of(reason(2, Interruption.Kind.HARD_TIMEOUT)), 0, 1);
        job.apply(2, new ChaosEvent.Left("RankFencedException", "declared dead", 0));
        assertThat(judge(0, 1, fault)).isEmpty();

        job.ended(2, 143);
        assertThat(judge(0, 1, fault)).isEmpty();
    }

    /** It could not say why it left. */
    @Test
    void onlyARankThatIsCutOffMayBeFoundDeadInsteadOfGone() {
        job.start(0, 0, 1, 2);
        ChaosFault fault = job.inject(FaultKind.KILL_MONITOR, Place.OUTSIDE, 2, 0);
        job.restarted(0, List.of(reason(2, Interruption.Kind.TERMINATED)), 0, 1);
        job.apply(2, new ChaosEvent.Left("SessionExpiredException", "its lease was not renewed", 0));

        assertThat(judge(0, 1, fault)).isNotEmpty();
        assertThat(new Judge(job.board, job.settings, List.of(fault), Set.of(1)).judge(0, 1))
                .isNotEmpty();
        assertThat(new Judge(job.board, job.settings, List.of(fault), Set.of(2)).judge(0, 1))
                .isEmpty();
    }

    private static final ChaosEvent.Reason SCALE_UP = reason(0, Interruption.Kind.SCALE_UP);

    /** Rank 1 is lost, and its next process, number 3, joins. */
    private ChaosFault loseAndReplaceRank1() {
        job.start(0, 0, 1, 2);
        ChaosFault fault = job.kill(1, 0);
        int next = job.launch(1, 3);
        job.restarted(0, List.of(reason(1, Interruption.Kind.TERMINATED)), 0, 2);
        job.start(1, 0, 2);
        job.restarted(1, List.of(SCALE_UP), List.of(3), 0, 2);
        job.start(2, 0, 2, next);
        return fault;
    }

    @Test
    void iterationMayBeInterruptedForThoseWhoJoin() {
        ChaosFault fault = loseAndReplaceRank1();

        assertThat(judge(0, 2, fault)).isEmpty();
        assertThat(job.board.violations()).isEmpty();
    }

    @Test
    void brokenConnectionIsAConsequenceOfAnInterruptionForThoseWhoJoinButAHangIsNot() {
        ChaosFault fault = loseAndReplaceRank1();
        job.restarted(1, List.of(SCALE_UP, LOST_NEIGHBOUR), List.of(3), 0, 2);
        assertThat(judge(0, 2, fault)).isEmpty();

        job.restarted(1, List.of(SCALE_UP, reason(2, Interruption.Kind.SOFT_TIMEOUT)), List.of(3), 0, 2);
        assertThat(judge(0, 2, fault)).singleElement().asString().contains("SOFT_TIMEOUT on rank 2");
    }

    @Test
    void interruptionForNobodyIsNoticedUnlessSomebodyWasLostMeanwhile() {
        job.start(0, 0, 1, 2);
        job.restarted(0, List.of(SCALE_UP), 0, 1, 2);
        job.start(1, 0, 1, 2);
        assertThat(judge(0, 1))
                .containsExactly("iteration 0 was interrupted for processes that wait, but nobody joined");

        ChaosFault crash = job.kill(job.launch(1, 3), -1);
        assertThat(judge(0, 1, crash)).isEmpty();
    }

    @Test
    void processThatIsLostWhileItWaitsMustNotInterruptAnybody() {
        job.start(0, 0, 1, 2);
        ChaosFault crash = job.kill(job.launch(1, 3), -1);
        assertThat(judge(0, 0, crash)).isEmpty();

        job.restarted(0, List.of(reason(3, Interruption.Kind.TERMINATED)), 0, 1, 2);
        job.start(1, 0, 1, 2);
        assertThat(judge(0, 1, crash))
                .containsExactly(
                        "iteration 0 was interrupted without a fault",
                        "iteration 0 was interrupted because of TERMINATED on rank 3 (message): no such fault was"
                                + " injected");
    }

    @Test
    void newMemberWhomNoRestartReportsIsNoticed() {
        job.start(0, 0, 1, 2);
        ChaosFault fault = job.inject(FaultKind.EXCEPTION, Place.STEP, 1, 0);
        job.restarted(0, List.of(reason(1, Interruption.Kind.EXCEPTION)), 0, 1, 2);
        job.start(1, 0, 1, 2, job.launch(1, 3));

        assertThat(judge(0, 1, fault))
                .containsExactly(
                        "number 3 is new in iteration 1, but the restart before reports that these joined: []");
    }

    @Test
    void endOfAnIterationThatNobodySurvivedNeedsNoReport() {
        job.start(0, 0, 1, 2);
        ChaosFault[] faults = {job.kill(0, 0), job.kill(1, 0), job.kill(2, 0)};
        for (int rank = 0; rank < ScriptedJob.RANKS; rank++) {
            job.launch(rank, rank);
        }
        job.start(100, 3, 4, 5);

        assertThat(judge(0, 100, faults)).isEmpty();
        assertThat(job.board.violations()).isEmpty();
    }

    @Test
    void founderOfAGenerationMayBeKilledBeforeItCanSaySo() {
        job.start(4, 0, 1, 2);
        job.start(0, 0, 1, 2);
        ChaosFault[] faults = {job.kill(0, 0), job.kill(1, 0), job.kill(2, 0), null};
        for (int rank = 0; rank < ScriptedJob.RANKS; rank++) {
            job.launch(rank, rank);
        }
        job.start(100, 3, 4);
        faults[3] = job.kill(5, -1);
        job.restarted(100, List.of(reason(2, Interruption.Kind.TERMINATED)), 3, 4);
        job.start(101, 3, 4);

        assertThat(judge(0, 101, faults)).isEmpty();
    }
}
