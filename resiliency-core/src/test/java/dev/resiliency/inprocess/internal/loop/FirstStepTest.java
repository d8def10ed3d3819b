package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.BACKING_OFF;
import static dev.resiliency.inprocess.internal.loop.LoopState.LAST_CALL;
import static dev.resiliency.inprocess.internal.loop.LoopState.RUNNING;
import static dev.resiliency.inprocess.internal.loop.SteppedRank.FIRST_STEP_TIMEOUT;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.contains;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.ArgumentMatchers.startsWith;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Ranks that make no progress since another one has not made its first step, stepped by hand; the test is the watchdog. */
class FirstStepTest {
    private static final Duration A_MOMENT = Duration.ofSeconds(1);
    private static final Duration STALL = Duration.ofSeconds(20);
    private static final Duration SOFT_TIMEOUT = Duration.ofSeconds(60);

    private final Scenario scenario = new Scenario();

    FirstStepTest() {
        scenario.pings = false;
        scenario.log = mock(Logger.class);
    }

    private static void makeStep(SteppedRank rank) {
        rank.orderAndAwaitBegin(call -> {
            call.ping();
            return null;
        });
        rank.orderAndAwaitBegin(call -> null); // the first one has ended
    }

    private static void pass(SteppedJob job, Duration time) {
        job.pass(time);
        for (int i = 0; i < 10; i++) {
            job.stepAll();
        }
    }

    /** Reports that a rank makes no progress; returns whether it is excused. */
    private static boolean isExcused(SteppedJob job, SteppedRank rank) {
        rank.loop.supervision().reportStall(rank.worker());
        for (int i = 0; i < 10; i++) {
            job.stepAll();
        }
        OptionalLong until = rank.loop.supervision().excusedUntil(rank.worker());
        return until.isPresent() && until.getAsLong() == rank.clock.nanoTime();
    }

    private static void hang(SteppedRank rank) {
        rank.loop.supervision().reportHang(rank.worker(), SteppedRank.HANG);
    }

    @Test
    void rankThatWaitsForOneThatHasMadeNoStepIsExcusedUntilItHas() {
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);
            makeStep(job.rank(0));
            makeStep(job.rank(1));
            pass(job, STALL);
            assertThat(isExcused(job, job.rank(0))).isTrue();

            makeStep(job.rank(2));
            pass(job, A_MOMENT);

            assertThat(isExcused(job, job.rank(0))).isFalse();
            hang(job.rank(0));
            job.restart();
            assertThat(job.rank(1).reports.get(0).interruptions())
                    .extracting(Interruption::toString)
                    .containsExactly("SOFT_TIMEOUT on rank 0 (made no progress for 60.0 s)");
        }
    }

    @Test
    void rankWhoseFunctionHasReturnedWithoutAStepIsNotAwaited() {
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            makeStep(job.rank(0));
            job.rank(1).orderReturn("done");
            job.until(LoopState.AWAITING, job.rank(1));
            pass(job, STALL);

            assertThat(isExcused(job, job.rank(0))).isFalse();
        }
    }

    @Test
    void rankThatHasMadeNoStepWithinTheLimitIsTheReasonOfTheRestart() {
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);
            makeStep(job.rank(0));
            makeStep(job.rank(1));
            pass(job, FIRST_STEP_TIMEOUT.minus(STALL));
            assertThat(isExcused(job, job.rank(0))).isTrue();
            pass(job, STALL);
            assertThat(isExcused(job, job.rank(0))).isFalse();

            hang(job.rank(0));
            job.restart();

            assertThat(job.rank(1).reports.get(0).interruptions())
                    .extracting(Interruption::toString)
                    .containsExactly("SOFT_TIMEOUT on rank 2 (it has made no step in the first 300 s of the iteration,"
                            + " and rank 0, which waits for it, made no progress for 60.0 s)");
            assertThat(job.rank(0).iterations.get(1).faults()).isZero();
        }
    }

    @Test
    void hangLongAfterTheWaitIsOfTheRankThatHangs() {
        try (SteppedJob job = new SteppedJob(3, scenario)) { // of a function that never pings
            job.untilAll(RUNNING);
            pass(job, STALL);
            assertThat(isExcused(job, job.rank(0))).isTrue();
            pass(job, FIRST_STEP_TIMEOUT.plus(SOFT_TIMEOUT));
            assertThat(isExcused(job, job.rank(0))).isFalse();

            hang(job.rank(0));
            job.restart();

            assertThat(job.rank(1).reports.get(0).interruptions())
                    .extracting(Interruption::rank)
                    .containsExactly(0);
        }
    }

    @Test
    void pauseOfARankWithoutAStepExtendsTheWaitUntilItResumes() {
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            makeStep(job.rank(0));
            AtomicReference<HangProtectionPause> pause = new AtomicReference<>();
            job.rank(1).orderAndAwaitBegin(call -> {
                pause.set(call.disableHangProtection());
                return null;
            });
            job.rank(1).orderAndAwaitBegin(call -> null);
            pass(job, FIRST_STEP_TIMEOUT.multipliedBy(4));
            assertThat(isExcused(job, job.rank(0))).isTrue();

            requireNonNull(pause.get()).close();
            pass(job, A_MOMENT);

            assertThat(isExcused(job, job.rank(0))).isFalse();
        }
    }

    /** Such as rank 1 in a hook, while rank 0 waits for it to recover. */
    @Test
    void ranksThatWaitForEachOtherAreExcusedNoLongerThanTheFirstStepMayTake() {
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            waitForPeers(job.rank(0));
            pass(job, FIRST_STEP_TIMEOUT.minus(STALL));
            assertThat(isExcused(job, job.rank(1))).isTrue();

            pass(job, STALL.multipliedBy(2));

            assertThat(isExcused(job, job.rank(1))).isFalse();
            hang(job.rank(1));
            job.restart();
            assertThat(job.rank(0).reports.get(0).interruptions())
                    .extracting(each -> each.kind() + " " + each.rank())
                    .containsExactly("SOFT_TIMEOUT 1", "WAITING 0");
        }
    }

    private static void waitForPeers(SteppedRank rank) {
        rank.orderAndAwaitBegin(call -> {
            call.waitsForPeers();
            return null;
        });
        rank.orderAndAwaitBegin(call -> null);
    }

    @Test
    void newcomerIsNamedEarly() {
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.kill(job.rank(1));
            job.until(LAST_CALL, job.rank(0));
            job.passLastCall();
            job.until(RUNNING, job.rank(0));
            SteppedRank newcomer = job.come(1);
            job.until(LAST_CALL, job.rank(0));
            job.passLastCall();
            job.until(RUNNING, job.rank(0), newcomer);
            pass(job, STALL);

            assertThat(isExcused(job, job.rank(0))).isTrue();

            verifyThatWaitsAreSaid(1, "rank 2, which joined 20 s ago and has not made a step");
        }
    }

    @Test
    void ranksThatBeginAtDifferentStepsAreInterrupted() {
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderStep(0);
            pass(job, A_MOMENT);
            job.rank(1).orderStep(600);

            job.restart();

            assertThat(job.rank(0).reports.get(0).interruptions())
                    .extracting(Interruption::toString)
                    .containsExactly(
                            "EXCEPTION on rank 1 (the ranks begin at different steps: it at 600, and rank 0 at 0)");
        }
    }

    private static void beginApart(SteppedJob job, int steps) {
        job.untilAll(RUNNING);
        for (int step = 0; step < steps; step++) {
            job.rank(0).orderStep(step);
        }
        pass(job, A_MOMENT);
        for (int step = 0; step < steps; step++) {
            job.rank(1).orderStep(600 + step);
        }
    }

    @Test
    void ranksThatBeginAtDifferentStepsPauseThoughEachAttemptComesAStepFurther() {
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            int attempt = 1;
            while (attempt <= 1 + BackOff.FREE) {
                beginApart(job, attempt++);
                job.restart();
            }
            beginApart(job, attempt);

            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.until(BACKING_OFF, job.rank(1));
        }
    }

    @Test
    void ranksThatBeginAtTheSameStepAndGoOnAreNot() {
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderStep(7);
            job.rank(0).orderStep(8);
            pass(job, A_MOMENT);
            job.rank(1).orderStep(7);
            pass(job, A_MOMENT);

            assertThat(job.rank(0).state()).isEqualTo(RUNNING);
            assertThat(job.rank(1).state()).isEqualTo(RUNNING);
        }
    }

    @Test
    void stepThatGoesBackIsSaidAndABeginningAllOverAgainIsAWarning() {
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            for (int step : new int[] {431, 400, 0}) {
                job.untilAll(RUNNING);
                job.rank(0).orderStep(step);
                pass(job, A_MOMENT);
                job.fail(job.rank(0));
                job.untilAll(RUNNING);
            }

            verify(scenario.log).info(eq("{} the step went back from {} to {}"), any(), eq(431L), eq(400L));
            verify(scenario.log)
                    .warn(
                            eq("{} the step went back from {} to {}: the function begins all over again"),
                            any(),
                            eq(400L),
                            eq(0L));
        }
    }

    @Test
    void agentLearnsWhereTheFunctionBeginsAndWhereItWas() {
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            for (int step : new int[] {400, 0, 500}) {
                job.untilAll(RUNNING);
                job.rank(0).orderStep(step);
                pass(job, A_MOMENT);
                job.fail(job.rank(0));
                job.untilAll(RUNNING);
                pass(job, A_MOMENT);
                job.fail(job.rank(0)); // before its first step
            }

            assertThat(job.rank(0).beginnings)
                    .containsExactly(
                            "400 after -1 in iteration 0", "0 after 400 in iteration 2", "500 after 0 in iteration 4");
        }
    }

    @Test
    void agentLearnsOfAnIterationThatIsOverBeforeItIsAnnounced() {
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            for (int step : new int[] {400, 0, 500}) {
                job.untilAll(RUNNING);
                job.rank(0).orderStep(step);
                job.fail(job.rank(0));
            }
            job.untilAll(RUNNING);

            assertThat(job.rank(0).beginnings)
                    .containsExactly(
                            "400 after -1 in iteration 0", "0 after 400 in iteration 1", "500 after 0 in iteration 2");
        }
    }

    private void verifyThatWaitsAreSaid(int times, String who) {
        verify(scenario.log, times(times))
                .info(startsWith("{} waits for {}"), any(Object.class), contains(who), any(Object.class));
    }

    @Test
    void lowestOfThoseWhoWaitSaysSoAtFirstAndLaterAllDo() {
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);
            makeStep(job.rank(0));
            makeStep(job.rank(1));
            pass(job, STALL.dividedBy(2));
            assertThat(isExcused(job, job.rank(0))).isTrue();
            assertThat(isExcused(job, job.rank(1))).isTrue();
            verifyThatWaitsAreSaid(1, "rank 2, which began");

            pass(job, STALL.dividedBy(2).minus(A_MOMENT));
            assertThat(isExcused(job, job.rank(0))).isTrue();
            verifyThatWaitsAreSaid(1, "rank 2, which began");

            pass(job, A_MOMENT);
            assertThat(isExcused(job, job.rank(0))).isTrue();
            assertThat(isExcused(job, job.rank(1))).isTrue();
            verifyThatWaitsAreSaid(3, "rank 2, which began");
        }
    }

    @Test
    void restartThatTookAMomentSaysNothing() {
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            pass(job, A_MOMENT);

            verify(scenario.log, never()).info(startsWith("{} waits for {}"), any(), any(), any());
        }
    }
}
