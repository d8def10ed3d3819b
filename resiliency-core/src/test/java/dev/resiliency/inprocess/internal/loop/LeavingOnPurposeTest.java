package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.AWAITING;
import static dev.resiliency.inprocess.internal.loop.LoopState.CLOSED;
import static dev.resiliency.inprocess.internal.loop.LoopState.FOUNDING;
import static dev.resiliency.inprocess.internal.loop.LoopState.JOINING;
import static dev.resiliency.inprocess.internal.loop.LoopState.LAST_CALL;
import static dev.resiliency.inprocess.internal.loop.LoopState.REGROUPING;
import static dev.resiliency.inprocess.internal.loop.LoopState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Elasticity.Admission;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartReport.StoppedBy;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import dev.resiliency.inprocess.internal.worker.LeavingOnPurpose;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.store.StoreLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that leave on purpose, stepped by hand. */
class LeavingOnPurposeTest {
    private static State last(SteppedRank rank) {
        return rank.iterations.get(rank.iterations.size() - 1);
    }

    private static RestartReport onlyReport(SteppedRank rank) {
        assertThat(rank.reports).hasSize(1);
        return rank.reports.get(0);
    }

    private static void settle(SteppedJob job) {
        for (int i = 0; i < 50; i++) {
            job.stepAll();
        }
    }

    private static List<SteppedRank> running(SteppedJob job) {
        return job.ranks().stream().filter(rank -> rank.state() == RUNNING).toList();
    }

    /** Makes two steps on all that run, with a window of time between them. */
    private static void pace(SteppedJob job, long first) {
        running(job).forEach(rank -> rank.orderStep(first));
        settle(job);
        job.pass(StepPace.WINDOW);
        running(job).forEach(rank -> rank.orderStep(first + 1));
        settle(job);
    }

    private static SteppedJob started(int ranks, Scenario scenario) {
        SteppedJob job = new SteppedJob(ranks, scenario);
        job.untilAll(RUNNING);
        pace(job, 0);
        return job;
    }

    private static void assertHasLeft(SteppedRank rank) {
        assertThat(rank.state()).isEqualTo(CLOSED);
        assertThat(rank.loop.departure()).isInstanceOf(LeavingOnPurpose.class);
        assertThat(rank.loop.result()).isNull();
        assertThat(rank.loop.isEndKnown()).isTrue();
    }

    /** Any rank: the one that publishes the step leads the others no more when it has left. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void othersGoOnWithoutItAtTheSameStep(int leaver) {
        try (SteppedJob job = started(3, new Scenario())) {
            SteppedRank leaving = job.rank(leaver);
            leaving.loop.leave("SIGTERM");
            settle(job);

            job.ranks().forEach(rank -> assertThat(rank.orderStep(2)).isTrue());
            job.ranks().forEach(rank -> assertThat(rank.orderStep(3)).isFalse());
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.until(CLOSED, leaving);
            List<SteppedRank> others = new ArrayList<>(job.ranks());
            others.remove(leaving);
            job.until(RUNNING, others.toArray(SteppedRank[]::new));

            assertHasLeft(leaving);
            assertThat(leaving.events)
                    .extracting(WorldEvent::getClass, WorldEvent::iteration, WorldEvent::activeWorldSize)
                    .containsExactly(
                            tuple(WorldEvent.Started.class, 0, 3),
                            tuple(WorldEvent.Draining.class, 0, 3),
                            tuple(WorldEvent.Pausing.class, 0, 3));
            assertThat(leaving.loop.departure())
                    .hasMessage("it was asked to (SIGTERM) and leaves at safe point 3; its call returns null");
            assertThat(others).allSatisfy(rank -> {
                assertThat(last(rank)).returns(2, State::activeWorldSize).returns(0, State::faults);
                assertThat(onlyReport(rank).stoppedBy()).isEqualTo(StoppedBy.SAFE_POINT);
                assertThat(onlyReport(rank).interruptions())
                        .extracting(Interruption::rank, Interruption::kind, Interruption::message)
                        .containsExactly(tuple(leaver, Kind.LEAVING, "SIGTERM"));
            });
            others.forEach(rank -> assertThat(rank.orderStep(3)).isTrue());
            others.forEach(rank -> rank.orderReturn("done"));
            job.untilAll(CLOSED);
            assertThat(others).allSatisfy(rank -> assertThat(rank.loop.result()).isEqualTo("done"));
        }
    }

    @Test
    void functionMayAskItself() throws Exception {
        try (SteppedJob job = started(2, new Scenario())) {
            SteppedRank leaving = job.rank(1);
            CountDownLatch asked = new CountDownLatch(1);
            leaving.orderAndAwaitBegin(call -> {
                call.leave("the time limit is near");
                asked.countDown();
                return null;
            });
            asked.await();
            settle(job);

            job.ranks().forEach(rank -> rank.orderStep(2));
            job.ranks().forEach(rank -> assertThat(rank.orderStep(3)).isFalse());
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.until(RUNNING, job.rank(0));
            job.until(CLOSED, leaving);

            assertHasLeft(leaving);
            assertThat(onlyReport(job.rank(0)).interruptions())
                    .extracting(Interruption::message)
                    .containsExactly("the time limit is near");
        }
    }

    @Test
    void whenAllLeaveAllEndWithSuccess() {
        try (SteppedJob job = started(3, new Scenario())) {
            job.ranks().forEach(rank -> rank.loop.leave("SIGTERM"));
            settle(job);
            job.ranks().forEach(rank -> rank.orderStep(2));
            job.ranks().forEach(rank -> assertThat(rank.orderStep(3)).isFalse());
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.untilAll(CLOSED);

            assertThat(job.ranks()).allSatisfy(LeavingOnPurposeTest::assertHasLeft);
            SteppedRank next = job.come(0);
            assertThat(next.identity.generation().number()).isEqualTo(1);
        }
    }

    @Test
    void hostOfTheStoreMayBeTheFirstToGoWhenAllLeave() {
        try (SteppedJob job = started(2, new Scenario())) {
            job.ranks().forEach(rank -> rank.loop.leave("SIGTERM"));
            settle(job);
            job.ranks().forEach(rank -> rank.orderStep(2));
            job.ranks().forEach(rank -> rank.orderStep(3));
            job.untilAll(LAST_CALL);

            job.rank(1).loop.raise(new StoreLostException("10.0.0.1:29500", "the store was lost", null));
            job.passLastCall();
            job.untilAll(CLOSED);

            assertHasLeft(job.rank(1));
        }
    }

    @Test
    void faultThatComesFirstIsTheOccasionToLeave() {
        try (SteppedJob job = started(3, new Scenario())) {
            job.rank(2).loop.leave("SIGTERM");
            settle(job);
            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.until(RUNNING, job.rank(0), job.rank(1));
            job.until(CLOSED, job.rank(2));

            assertHasLeft(job.rank(2));
            assertThat(job.rank(2).loop.departure()).hasMessageContaining("leaves with a restart");
            assertThat(last(job.rank(0)).activeWorldSize()).isEqualTo(2);
            assertThat(onlyReport(job.rank(0)).interruptions())
                    .extracting(Interruption::rank, Interruption::kind)
                    .containsExactly(tuple(2, Kind.LEAVING), tuple(1, Kind.EXCEPTION));
        }
    }

    @Test
    void rankWithoutSafePointsStaysUntilItsGraceEnds() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(1).loop.leave("SIGTERM");
            settle(job);
            job.pass(Duration.ofMinutes(1));
            settle(job);
            assertThat(job.rank(0).state()).isEqualTo(RUNNING);
            assertThat(job.rank(1).state()).isEqualTo(RUNNING);

            job.rank(1).loop.raise(new InterruptedException("the grace has ended"));
            job.until(LAST_CALL, job.rank(0));
            job.passLastCall();
            job.until(CLOSED, job.rank(1));
            job.until(RUNNING, job.rank(0));

            assertThat(job.rank(1).loop.departure()).isInstanceOf(InterruptedException.class);
            assertThat(onlyReport(job.rank(0)).interruptions())
                    .extracting(Interruption::rank, Interruption::kind)
                    .contains(tuple(1, Kind.TERMINATED_BY_RANK));
        }
    }

    @Test
    void rankThatDiesAfterItsAnnouncementIsLost() {
        try (SteppedJob job = started(2, new Scenario())) {
            job.rank(1).loop.leave("SIGTERM");
            settle(job);

            job.kill(job.rank(1));
            job.until(LAST_CALL, job.rank(0));
            job.passLastCall();
            job.until(RUNNING, job.rank(0));

            assertThat(onlyReport(job.rank(0)).interruptions())
                    .extracting(Interruption::rank, Interruption::kind)
                    .containsExactly(tuple(1, Kind.LEAVING), tuple(1, Kind.TERMINATED));
        }
    }

    @Test
    void reserveLeavesAtASafePointAsWell() {
        Scenario scenario = new Scenario();
        scenario.elasticity = Elasticity.defaults().maxRanks(2);
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            SteppedRank reserve = job.rank(2);
            job.until(RUNNING, job.rank(0), job.rank(1));
            job.until(AWAITING, reserve);
            pace(job, 0);
            reserve.loop.leave("SIGTERM");
            settle(job);

            running(job).forEach(rank -> assertThat(rank.orderStep(2)).isTrue());
            running(job).forEach(rank -> assertThat(rank.orderStep(3)).isFalse());
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.until(RUNNING, job.rank(0), job.rank(1));
            job.until(CLOSED, reserve);

            assertHasLeft(reserve);
            assertThat(last(job.rank(0)).worldSize()).isEqualTo(2);
        }
    }

    @Test
    void rankIsReplacedByOneThatWaits() {
        try (SteppedJob job = started(2, new Scenario())) {
            SteppedRank spare = job.come(1);
            job.until(JOINING, spare);
            job.rank(0).loop.leave("SIGTERM");
            settle(job);

            List.of(job.rank(0), job.rank(1)).forEach(rank -> rank.orderStep(2));
            List.of(job.rank(0), job.rank(1))
                    .forEach(rank -> assertThat(rank.orderStep(3)).isFalse());
            job.until(LAST_CALL, job.rank(0), job.rank(1));
            job.passLastCall();
            job.until(RUNNING, job.rank(1), spare);
            job.until(CLOSED, job.rank(0));

            assertHasLeft(job.rank(0));
            assertThat(last(spare)).returns(2, State::activeWorldSize).returns(1, State::iteration);
        }
    }

    @Test
    void processThatWaitsToJoinLeavesAtOnce() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            SteppedRank joiner = job.come(1);
            job.until(JOINING, joiner);

            joiner.loop.leave("SIGTERM");
            job.until(CLOSED, joiner);
            settle(job);

            assertHasLeft(joiner);
            assertThat(job.rank(0).state()).isEqualTo(RUNNING);
        }
    }

    @Test
    void founderThatWaitsForOthersLeavesAtOnceAndTheyStartWithoutIt() {
        try (SteppedJob job = new SteppedJob(2, 1, new Scenario())) {
            job.until(FOUNDING, job.rank(0));
            settle(job);
            job.rank(0).loop.leave("SIGTERM");
            job.until(CLOSED, job.rank(0));
            SteppedRank other = job.come(1);
            job.until(RUNNING, other);

            assertHasLeft(job.rank(0));
            assertThat(last(other)).returns(1, State::activeWorldSize).returns(0, State::iteration);
        }
    }

    /** In each of these states the iteration is over already. */
    @ParameterizedTest
    @EnumSource(names = {"LAST_CALL", "FINALIZING", "CHECKING_HEALTH"})
    void rankThatIsAskedDuringARestartLeavesWithIt(LoopState state) {
        CountDownLatch hold = new CountDownLatch(1);
        Scenario scenario = new Scenario();
        scenario.finish = rank -> {
            if (state == LoopState.FINALIZING && rank.initialRank() == 1) {
                hold.await();
            }
        };
        scenario.healthCheck = rank -> {
            boolean isBetween = Thread.currentThread().getName().startsWith("resiliency-health-check-");
            if (state == LoopState.CHECKING_HEALTH && isBetween && rank.initialRank() == 1) {
                hold.await();
            }
        };
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderThrow(new IllegalStateException("NaN"));
            job.untilAll(LAST_CALL);
            if (state != LAST_CALL) {
                job.passLastCall();
                job.until(state, job.rank(1));
            }

            job.rank(1).loop.leave("SIGTERM");
            hold.countDown();
            job.passLastCall();
            job.until(RUNNING, job.rank(0), job.rank(2));
            job.until(CLOSED, job.rank(1));

            assertHasLeft(job.rank(1));
            assertThat(last(job.rank(0)).worldSize()).isEqualTo(2);
            assertThat(onlyReport(job.rank(0)).interruptions())
                    .extracting(Interruption::rank, Interruption::kind)
                    .containsExactly(tuple(0, Kind.EXCEPTION), tuple(1, Kind.LEAVING));
        }
    }

    @Test
    void rankThatOthersAlreadyCountOnEntersTheNextIterationFirst() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(0).orderThrow(new IllegalStateException("NaN"));
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.only(job.rank(1), REGROUPING);
            job.rank(1).loop.leave("SIGTERM");
            job.untilAll(RUNNING);
            assertThat(last(job.rank(1)).iteration()).isEqualTo(1);

            pace(job, 0);
            job.ranks().forEach(rank -> rank.orderStep(2));
            job.ranks().forEach(rank -> assertThat(rank.orderStep(3)).isFalse());
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.until(RUNNING, job.rank(0));
            job.until(CLOSED, job.rank(1));

            assertHasLeft(job.rank(1));
        }
    }

    @Test
    void rankThatIsAskedWhenTheJobIsCompleteCompletes() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.ranks().forEach(rank -> rank.orderReturn("done"));
            job.until(() -> job.isAnyIn(LoopState.PARTING), "the end");
            job.ranks().forEach(rank -> rank.loop.leave("SIGTERM"));
            job.untilAll(CLOSED);

            assertThat(job.ranks())
                    .allSatisfy(rank -> assertThat(rank.loop.result()).isEqualTo("done"));
        }
    }

    /** The seeds' promise: growing from 4 to 8 ranks and draining back to 4 loses no step and repeats none. */
    @Test
    void sequenceOfStepsHasNoGapAndNoRepetitionWhileAJobGrowsAndShrinks() {
        Scenario scenario = new Scenario();
        scenario.assignment = RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());
        scenario.elasticity = Elasticity.defaults().maxRanks(8).admission(Admission.atSafePoint(Duration.ofMinutes(5)));
        try (SteppedJob job = new SteppedJob(4, scenario)) {
            job.untilAll(RUNNING);
            Training training = new Training(job);
            training.run(20);
            for (int rank = 0; rank < 4; rank++) {
                job.come(rank);
            }
            training.runUntilWorldHas(8);
            training.run(20);
            for (int rank : List.of(0, 3, 5, 6)) {
                job.rank(rank).loop.leave("SIGTERM");
            }
            training.runUntilWorldHas(4);
            training.run(20);

            assertThat(training.sizes()).containsExactly(4, 8, 4);
            training.assertEveryRankOfEachWorldMadeEachStepOnce();
            for (int rank : List.of(0, 3, 5, 6)) {
                assertHasLeft(job.rank(rank));
            }
        }
    }

    /** A synchronous training: all active ranks make a step, then all make the next. */
    private static final class Training {
        private final SteppedJob job;
        private long step;
        /** How many ranks have made each step, in the order of their making. */
        private final List<long[]> made = new ArrayList<>();

        private Training(SteppedJob job) {
            this.job = job;
        }

        void run(int steps) {
            for (long end = step + steps; step < end; ) {
                makeStep();
            }
        }

        void runUntilWorldHas(int ranks) {
            job.until(
                    () -> {
                        makeStep();
                        return running(job).size() == ranks;
                    },
                    "a world of " + ranks);
        }

        private void makeStep() {
            List<SteppedRank> ranks = running(job);
            long passed = ranks.stream().filter(rank -> rank.orderStep(step)).count();
            if (passed > 0) {
                assertThat(passed).as("ranks that made step %d", step).isEqualTo(ranks.size());
                made.add(new long[] {step, passed});
                step++;
            } else {
                regroup();
            }
            job.pass(Duration.ofMillis(50)); // the time of a step
            settle(job);
        }

        private void regroup() {
            List<SteppedRank> members = job.ranks().stream()
                    .filter(rank -> rank.state() != JOINING && rank.state() != CLOSED)
                    .toList();
            job.until(LAST_CALL, members.toArray(SteppedRank[]::new));
            job.passLastCall();
            job.until(
                    () -> job.ranks().stream().allMatch(rank -> rank.state() == RUNNING || rank.state() == CLOSED),
                    "the next world");
        }

        List<Integer> sizes() {
            List<Integer> sizes = new ArrayList<>();
            for (long[] each : made) {
                int size = (int) each[1];
                if (sizes.isEmpty() || sizes.get(sizes.size() - 1) != size) {
                    sizes.add(size);
                }
            }
            return sizes;
        }

        void assertEveryRankOfEachWorldMadeEachStepOnce() {
            TreeMap<Long, Long> times = new TreeMap<>();
            made.forEach(each -> times.merge(each[0], 1L, Long::sum));
            assertThat(times.keySet()).hasSize((int) step).first().isEqualTo(0L);
            assertThat(times.values()).containsOnly(1L);
        }
    }
}
