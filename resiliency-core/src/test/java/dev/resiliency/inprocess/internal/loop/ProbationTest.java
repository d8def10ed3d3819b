package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.CLOSED;
import static dev.resiliency.inprocess.internal.loop.LoopState.JOINING;
import static dev.resiliency.inprocess.internal.loop.LoopState.LAST_CALL;
import static dev.resiliency.inprocess.internal.loop.LoopState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.contains;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import dev.resiliency.inprocess.rank.RankAssignment;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Processes that join and cost the job restarts before they have made a step. */
class ProbationTest {
    private final Probation probation = new Probation();
    private final Scenario scenario = new Scenario();

    ProbationTest() {
        scenario.pings = false;
        scenario.log = mock(Logger.class);
    }

    @Test
    void newcomerThatHasCostTwoRestartsIsToWaitLongerEachTime() {
        Duration unit = Duration.ofMinutes(5);
        assertThat(probation.holdBack(unit)).isZero();
        for (int seconds : new int[] {300, 600, 1200, 2400, 2400}) {
            probation.begin();
            assertThat(probation.fails(false, true)).isFalse();
            assertThat(probation.fails(false, false))
                    .as("another one was the cause")
                    .isFalse();
            assertThat(probation.fails(false, true)).isTrue();
            assertThat(probation.holdBack(unit)).hasSeconds(seconds);
        }
    }

    @Test
    void stepPassesTheProbationForGood() {
        probation.fails(false, true);
        assertThat(probation.fails(true, true)).isFalse();
        for (int i = 0; i < 5; i++) {
            assertThat(probation.fails(false, true)).isFalse();
        }
    }

    private static void restart(SteppedJob job, SteppedRank failing, SteppedRank... members) {
        failing.orderThrow(new IllegalStateException("no such file"));
        job.until(LAST_CALL, members);
        job.passLastCall();
    }

    private static SteppedRank joined(SteppedJob job) {
        job.untilAll(RUNNING);
        job.kill(job.rank(2));
        job.until(LAST_CALL, job.rank(0), job.rank(1));
        job.passLastCall();
        SteppedRank newcomer = job.come(2);
        job.until(LAST_CALL, job.rank(0), job.rank(1));
        job.passLastCall();
        job.until(RUNNING, job.rank(0), job.rank(1), newcomer);
        return newcomer;
    }

    private static State last(SteppedRank rank) {
        return rank.iterations.get(rank.iterations.size() - 1);
    }

    @Test
    void othersGoOnWithoutANewcomerThatHasCostTwoRestartsAndItJoinsLater() {
        scenario.monitorThreadInterval = Duration.ofHours(1);
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            SteppedRank newcomer = joined(job);
            restart(job, newcomer, job.rank(0), job.rank(1), newcomer);
            job.until(RUNNING, job.rank(0), job.rank(1), newcomer);

            restart(job, newcomer, job.rank(0), job.rank(1), newcomer);
            job.until(CLOSED, newcomer);
            job.until(RUNNING, job.rank(0), job.rank(1));

            assertThat(newcomer.loop.comesAgain()).isTrue();
            assertThat(newcomer.loop.isEndKnown()).isTrue();
            assertThat(last(job.rank(0)).activeWorldSize()).isEqualTo(2);
            assertThat(job.rank(1).reports.get(job.rank(1).reports.size() - 1).interruptions())
                    .extracting(Interruption::kind)
                    .containsExactlyInAnyOrder(Interruption.Kind.EXCEPTION, Interruption.Kind.LEAVING);

            SteppedRank again = job.comeAgain(newcomer, 2);
            job.stepAll();
            job.pass(SteppedRank.FIRST_STEP_TIMEOUT.minusSeconds(1));
            for (int i = 0; i < 20; i++) {
                job.stepAll();
            }
            assertThat(again.state()).isEqualTo(JOINING);
            assertThat(job.rank(0).state()).isEqualTo(RUNNING);
            verify(scenario.log)
                    .warn(
                            contains("before it joins the running job again"),
                            any(),
                            eq(SteppedRank.FIRST_STEP_TIMEOUT.toSeconds()));

            job.pass(Duration.ofSeconds(1));
            job.until(LAST_CALL, job.rank(0), job.rank(1));
            job.passLastCall();
            job.untilAll(RUNNING);
            assertThat(last(again).activeWorldSize()).isEqualTo(3);
        }
    }

    @Test
    void newcomerWithoutWhichTheJobWouldBeTooSmallStays() {
        scenario.elasticity = Elasticity.defaults().minRanks(3);
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);
            job.kill(job.rank(2));
            job.until(LAST_CALL, job.rank(0), job.rank(1));
            job.passLastCall();
            SteppedRank newcomer = job.come(2);
            job.until(RUNNING, job.rank(0), job.rank(1), newcomer);

            for (int i = 0; i < 3; i++) {
                restart(job, newcomer, job.rank(0), job.rank(1), newcomer);
                job.until(RUNNING, job.rank(0), job.rank(1), newcomer);
            }

            assertThat(last(newcomer).activeWorldSize()).isEqualTo(3);
        }
    }

    /** Lets a newcomer that makes no step take its time, in an iteration that another rank then interrupts. */
    private static void interruptLate(SteppedJob job, SteppedRank newcomer, boolean isAwaited) {
        if (isAwaited) {
            job.rank(0).loop.supervision().reportStall(job.rank(0).worker());
            settle(job);
        }
        for (int i = 0; i < 2; i++) {
            job.pass(SteppedRank.FIRST_STEP_TIMEOUT.minusSeconds(1).dividedBy(2));
            settle(job);
        }
        job.pass(Duration.ofSeconds(1));
        settle(job);
        restart(job, job.rank(1), job.rank(0), job.rank(1), newcomer);
    }

    private static void settle(SteppedJob job) {
        for (int i = 0; i < 10; i++) {
            job.stepAll();
        }
    }

    @Test
    void newcomerThatIsLateCostsTheJobARestartOnlyIfOthersWaitForIt() {
        for (boolean isAwaited : new boolean[] {true, false}) {
            try (SteppedJob job = new SteppedJob(3, scenario)) {
                SteppedRank newcomer = joined(job);
                interruptLate(job, newcomer, isAwaited);
                job.until(RUNNING, job.rank(0), job.rank(1), newcomer);

                interruptLate(job, newcomer, isAwaited);

                job.until(isAwaited ? CLOSED : RUNNING, newcomer);
                assertThat(newcomer.loop.comesAgain()).isEqualTo(isAwaited);
            }
        }
    }

    @Test
    void reserveStays() {
        scenario.elasticity = Elasticity.defaults().maxRanks(3).joinWait(Duration.ZERO);
        scenario.assignment = RankAssignment.compose(RankAssignment.maxActiveWorldSize(2), RankAssignment.shiftRanks());
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            SteppedRank reserve = job.come(0);
            settle(job);
            restart(job, job.rank(1), job.rank(0), job.rank(1));
            for (int i = 0; i < 3; i++) {
                job.until(RUNNING, job.rank(0), job.rank(1));
                job.until(LoopState.AWAITING, reserve);
                interruptLate(job, reserve, true);
            }
            job.until(LoopState.AWAITING, reserve);
            assertThat(last(reserve).isActive()).isFalse();
        }
    }

    @Test
    void newcomerThatOthersInterruptStays() {
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            SteppedRank newcomer = joined(job);
            for (int i = 0; i < 3; i++) {
                restart(job, job.rank(1), job.rank(0), job.rank(1), newcomer);
                job.until(RUNNING, job.rank(0), job.rank(1), newcomer);
            }

            assertThat(last(newcomer).activeWorldSize()).isEqualTo(3);
        }
    }
}
