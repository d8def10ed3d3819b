package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.AWAITING;
import static dev.resiliency.inprocess.internal.loop.LoopState.CLOSED;
import static dev.resiliency.inprocess.internal.loop.LoopState.JOINING;
import static dev.resiliency.inprocess.internal.loop.LoopState.LAST_CALL;
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
import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import dev.resiliency.inprocess.internal.protocol.OpenWatches;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Joining at safe points, stepped by hand: no step is lost or repeated unless something else fails. */
class SafePointTest {
    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private static Scenario growing() {
        Scenario scenario = new Scenario();
        scenario.elasticity =
                Elasticity.defaults().maxRanks(8).joinWait(Duration.ZERO).admission(Admission.atSafePoint(AT_MOST));
        return scenario;
    }

    private static State last(SteppedRank rank) {
        return rank.iterations.get(rank.iterations.size() - 1);
    }

    private static RestartReport onlyReport(SteppedRank rank) {
        assertThat(rank.reports).hasSize(1);
        return rank.reports.get(0);
    }

    /** Starts a job of three, each of which has passed steps 0 and 1; rank 0 knows its pace: one step in a window. */
    private static SteppedJob started(Scenario scenario) {
        SteppedJob job = new SteppedJob(3, scenario);
        job.untilAll(RUNNING);
        pace(job, 0);
        return job;
    }

    /** Makes two steps, with a window of time between them. */
    private static void pace(SteppedJob job, long first) {
        job.ranks().stream().filter(rank -> rank.state() == RUNNING).forEach(rank -> rank.orderStep(first));
        settle(job);
        job.pass(StepPace.WINDOW);
        job.ranks().stream().filter(rank -> rank.state() == RUNNING).forEach(rank -> rank.orderStep(first + 1));
        settle(job);
    }

    /**
     * Lets a process come, for which rank 0 publishes safe point 3: the step after the latest, 1, and a margin of 2.
     */
    private static SteppedRank published(SteppedJob job) {
        SteppedRank joiner = job.come(0);
        job.until(JOINING, joiner);
        settle(job);
        return joiner;
    }

    /** Steps until nothing changes any more: requests to a store in memory are answered at once. */
    private static void settle(SteppedJob job) {
        for (int i = 0; i < 50; i++) {
            job.stepAll();
        }
    }

    private static void assertNobodyIsInterrupted(SteppedJob job) {
        settle(job);
        assertThat(job.ranks()).extracting(SteppedRank::state).doesNotContain(LAST_CALL);
        assertThat(job.rank(1).reports).isEmpty();
    }

    @Test
    void allStopAtTheSameStepAndGoOnWithTheJoiner() {
        try (SteppedJob job = started(growing())) {
            SteppedRank joiner = published(job);
            List<SteppedRank> founders = job.ranks().subList(0, 3);
            founders.forEach(rank -> assertThat(rank.orderStep(2)).isTrue());
            assertNobodyIsInterrupted(job);

            founders.forEach(rank -> assertThat(rank.orderStep(3)).isFalse());
            job.restart();

            assertThat(last(joiner))
                    .returns(4, State::activeWorldSize)
                    .returns(1, State::iteration)
                    .returns(State.Entry.JOINED, State::entry);
            assertThat(founders).allSatisfy(rank -> {
                assertThat(last(rank)).returns(0, State::faults).returns(4, State::activeWorldSize);
                RestartReport report = onlyReport(rank);
                assertThat(report.stoppedBy()).isEqualTo(StoppedBy.SAFE_POINT);
                assertThat(report.interruptions())
                        .extracting(Interruption::rank, Interruption::kind, Interruption::message)
                        .containsExactly(tuple(0, Kind.SCALE_UP, "rank 3 waits"));
            });
            job.ranks().forEach(rank -> assertThat(rank.orderStep(3)).isTrue());
        }
    }

    @Test
    void nobodyIsInterruptedBeforeAllHaveComeToTheStep() {
        try (SteppedJob job = started(growing())) {
            published(job);
            SteppedRank slow = job.rank(2);
            for (SteppedRank rank : List.of(job.rank(0), job.rank(1))) {
                rank.orderStep(2);
                assertThat(rank.orderStep(3)).isFalse();
            }
            job.until(AWAITING, job.rank(0), job.rank(1));

            slow.orderStep(2);
            assertNobodyIsInterrupted(job);
            assertThat(slow.state()).isEqualTo(RUNNING);
            slow.orderStep(3);
            job.restart();

            assertThat(onlyReport(slow).stoppedBy()).isEqualTo(StoppedBy.SAFE_POINT);
        }
    }

    @Test
    void rankThatIsAheadOfTheStepInterruptsTheIterationAndTheNextMarginIsTwiceAsLarge() {
        try (SteppedJob job = started(growing())) {
            job.rank(2).orderStep(7);
            SteppedRank joiner = published(job);

            job.restart();

            assertThat(last(joiner).iteration()).isEqualTo(1);
            assertThat(onlyReport(job.rank(1)).interruptions())
                    .extracting(Interruption::rank, Interruption::kind, Interruption::message)
                    .containsExactly(
                            tuple(0, Kind.SCALE_UP, "rank 3 waits"),
                            tuple(2, Kind.SAFE_POINT_MISSED, "it had passed safe point 3 when it learned of it"));
            assertThat(last(job.rank(2)).faults()).isZero();

            pace(job, 2);
            SteppedRank second = job.come(1);
            job.until(JOINING, second);
            settle(job);
            List<SteppedRank> four = job.ranks().subList(0, 4);
            for (long step = 4; step < 7; step++) {
                long passed = step;
                four.forEach(rank -> assertThat(rank.orderStep(passed)).isTrue());
            }
            four.forEach(rank -> assertThat(rank.orderStep(7)).isFalse()); // 3, and a margin of 4
            job.restart();
            assertThat(last(second)).returns(2, State::iteration).returns(5, State::activeWorldSize);
        }
    }

    @Test
    void rankThatDoesNotComeToTheStepInTimeIsNamed() {
        try (SteppedJob job = started(growing())) {
            SteppedRank joiner = published(job);
            for (SteppedRank rank : List.of(job.rank(0), job.rank(1))) {
                rank.orderStep(2);
                rank.orderStep(3);
            }
            job.until(AWAITING, job.rank(0), job.rank(1));

            job.pass(AT_MOST.minusMillis(1));
            assertNobodyIsInterrupted(job);
            job.pass(Duration.ofMillis(1));
            job.restart();

            assertThat(last(joiner).iteration()).isEqualTo(1);
            assertThat(onlyReport(job.rank(1)).interruptions())
                    .extracting(Interruption::rank, Interruption::kind, Interruption::message)
                    .containsExactly(
                            tuple(0, Kind.SCALE_UP, "rank 3 waits"),
                            tuple(0, Kind.SAFE_POINT_MISSED, "ranks {2} have not come to safe point 3 within 30.0 s"));
            assertThat(onlyReport(job.rank(2)).stoppedBy()).isNotEqualTo(StoppedBy.SAFE_POINT);
        }
    }

    @Test
    void functionWithoutSafePointsIsInterruptedAfterTheSameTime() {
        try (SteppedJob job = new SteppedJob(2, growing())) {
            job.untilAll(RUNNING);
            SteppedRank joiner = published(job);
            assertNobodyIsInterrupted(job);

            job.pass(AT_MOST);
            job.restart();

            assertThat(last(joiner).iteration()).isEqualTo(1);
            assertThat(onlyReport(job.rank(1)).interruptions())
                    .extracting(Interruption::kind, Interruption::message)
                    .containsExactly(
                            tuple(Kind.SCALE_UP, "rank 2 waits"),
                            tuple(Kind.SAFE_POINT_MISSED, "the function has said no step within 30.0 s"));
        }
    }

    @Test
    void functionThatMakesNoStepIsInterruptedAfterTheSameTime() {
        try (SteppedJob job = new SteppedJob(2, growing())) {
            job.untilAll(RUNNING);
            job.ranks().forEach(rank -> rank.orderStep(0)); // and no other, so that its pace is not known
            published(job);

            job.pass(AT_MOST);
            job.restart();

            assertThat(onlyReport(job.rank(1)).interruptions())
                    .extracting(Interruption::kind, Interruption::message)
                    .containsExactly(
                            tuple(Kind.SCALE_UP, "rank 2 waits"),
                            tuple(Kind.SAFE_POINT_MISSED, "the function has made no step within 30.0 s"));
        }
    }

    @Test
    void rankThatComesToItsFirstStepAfterThePublicationLearnsOfItThen() {
        try (SteppedJob job = new SteppedJob(3, growing())) {
            job.untilAll(RUNNING);
            SteppedRank slow = job.rank(2);
            List<SteppedRank> others = List.of(job.rank(0), job.rank(1));
            others.forEach(rank -> rank.orderStep(0));
            settle(job);
            job.pass(StepPace.WINDOW);
            others.forEach(rank -> rank.orderStep(1));
            settle(job);
            published(job);

            slow.orderStep(2);
            settle(job);
            others.forEach(rank -> rank.orderStep(3));
            assertThat(slow.orderStep(3)).isFalse();
            job.restart();

            assertThat(onlyReport(slow).interruptions())
                    .extracting(Interruption::kind)
                    .containsExactly(Kind.SCALE_UP);
        }
    }

    @Test
    void functionThatHasLeftOutTheStepInterruptsTheIteration() {
        try (SteppedJob job = started(growing())) {
            published(job);

            assertThat(job.rank(1).orderStep(5)).isTrue();
            job.restart();

            assertThat(onlyReport(job.rank(0)).interruptions())
                    .extracting(Interruption::rank, Interruption::kind)
                    .contains(tuple(1, Kind.SAFE_POINT_MISSED));
        }
    }

    @Test
    void faultThatComesFirstWins() {
        try (SteppedJob job = started(growing())) {
            SteppedRank joiner = published(job);
            job.rank(0).orderStep(2);
            job.rank(0).orderStep(3);
            job.until(AWAITING, job.rank(0));

            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            job.restart();

            assertThat(last(joiner).iteration()).isEqualTo(1);
            assertThat(onlyReport(job.rank(2)).interruptions())
                    .extracting(Interruption::rank, Interruption::kind)
                    .containsExactly(tuple(0, Kind.SCALE_UP), tuple(1, Kind.EXCEPTION));
            assertThat(onlyReport(job.rank(0)).stoppedBy()).isEqualTo(StoppedBy.SAFE_POINT);
            assertThat(last(job.rank(0)).faults()).isZero();
        }
    }

    @Test
    void rankThatComesToTheStepDuringTheLastCallOfAFaultHasNoFault() {
        try (SteppedJob job = started(growing())) {
            published(job);
            job.rank(0).orderStep(2);
            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            job.until(LAST_CALL, job.rank(0), job.rank(1), job.rank(2));

            assertThat(job.rank(0).orderStep(3)).isFalse();
            settle(job);
            job.restart();

            assertThat(onlyReport(job.rank(2)).interruptions())
                    .extracting(Interruption::rank, Interruption::kind)
                    .containsExactly(tuple(0, Kind.SCALE_UP), tuple(1, Kind.EXCEPTION));
            assertThat(last(job.rank(0)).faults()).isZero();
        }
    }

    /** The rank that has published the step, and others, before and after they have come to it. */
    static Stream<Arguments> deaths() {
        return Stream.of(0, 1, 2)
                .flatMap(victim -> Stream.of(true, false).map(hasStopped -> Arguments.of(victim, hasStopped)));
    }

    @ParameterizedTest(name = "rank {0}, which has come to the step: {1}")
    @MethodSource("deaths")
    void deathAfterThePublicationCostsOneRestart(int victim, boolean hasStopped) {
        try (SteppedJob job = started(growing())) {
            SteppedRank joiner = published(job);
            SteppedRank dying = job.rank(victim);
            SteppedRank first = hasStopped ? dying : job.rank((victim + 1) % 3);
            first.orderStep(2);
            first.orderStep(3);
            job.until(AWAITING, first);

            job.kill(dying);
            job.restart();

            for (SteppedRank rank : job.ranks()) {
                if (rank != dying && rank != joiner) {
                    assertThat(onlyReport(rank).interruptions())
                            .extracting(Interruption::rank, Interruption::kind)
                            .contains(tuple(victim, Kind.TERMINATED));
                }
            }
            assertThat(last(joiner)).returns(1, State::iteration).returns(3, State::activeWorldSize);
        }
    }

    @Test
    void joinerThatDiesAfterThePublicationCostsNoStep() {
        try (SteppedJob job = started(growing())) {
            SteppedRank joiner = published(job);

            job.kill(joiner);
            settle(job);
            List<SteppedRank> founders = job.ranks().subList(0, 3);
            founders.forEach(rank -> rank.orderStep(2));
            founders.forEach(rank -> assertThat(rank.orderStep(3)).isFalse());
            job.restart();

            assertThat(last(job.rank(1))).returns(1, State::iteration).returns(3, State::activeWorldSize);
            founders.forEach(rank -> assertThat(rank.orderStep(3)).isTrue());
        }
    }

    @Test
    void joinerThatDiesBeforeThePublicationInterruptsNobody() {
        try (SteppedJob job = new SteppedJob(2, growing())) {
            job.untilAll(RUNNING);
            SteppedRank joiner = published(job); // the pace is not known yet

            job.kill(joiner);
            settle(job);
            pace(job, 0);
            job.pass(AT_MOST);
            assertNobodyIsInterrupted(job);

            for (long step = 2; step < 10; step++) {
                assertThat(job.rank(0).orderStep(step)).isTrue();
            }
        }
    }

    @Test
    void jobThatCompletesBeforeTheStepIsComplete() {
        try (SteppedJob job = started(growing())) {
            SteppedRank joiner = published(job);
            List<SteppedRank> founders = job.ranks().subList(0, 3);

            founders.get(0).orderReturn("done");
            job.until(AWAITING, founders.get(0));
            assertNobodyIsInterrupted(job);
            founders.get(1).orderReturn("done");
            founders.get(2).orderReturn("done");
            job.untilAll(CLOSED);

            assertThat(founders)
                    .allSatisfy(rank -> assertThat(rank.loop.result()).isEqualTo("done"));
            assertThat(joiner.loop.departure()).isNull();
        }
    }

    @Test
    void functionThatHasReturnedIsNotInterruptedForAJoinerThatNoStepWasPublishedFor() {
        try (SteppedJob job = new SteppedJob(2, growing())) {
            job.untilAll(RUNNING);
            published(job);
            job.rank(0).orderReturn("done");
            job.until(AWAITING, job.rank(0));

            job.pass(AT_MOST);
            assertNobodyIsInterrupted(job);

            job.rank(1).orderReturn("done");
            job.untilAll(CLOSED);
        }
    }

    /** The leader, the lowest rank, is a reserve and makes no steps. */
    @Test
    void firstActiveRankPublishesTheStepIfTheLeaderIsAReserve() {
        Scenario scenario = growing();
        scenario.assignment = SafePointTest::withoutTheLowest;
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            SteppedRank reserve = job.rank(0);
            List<SteppedRank> active = List.of(job.rank(1), job.rank(2));
            job.until(RUNNING, job.rank(1), job.rank(2));
            job.until(AWAITING, reserve);
            pace(job, 0);
            SteppedRank joiner = published(job);

            active.forEach(rank -> rank.orderStep(2));
            active.forEach(rank -> assertThat(rank.orderStep(3)).isFalse());
            job.until(LAST_CALL, reserve, job.rank(1), job.rank(2));
            job.passLastCall();
            job.until(RUNNING, job.rank(1), job.rank(2), joiner);

            assertThat(onlyReport(job.rank(2)).interruptions())
                    .extracting(Interruption::rank, Interruption::kind)
                    .containsExactly(tuple(1, Kind.SCALE_UP));
            assertThat(last(joiner).activeWorldSize()).isEqualTo(3);
        }
    }

    private static World withoutTheLowest(World world) {
        World all = RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks())
                .assign(world);
        return all.with(all.placements().stream()
                .map(placement -> placement.rank() == 0
                        ? placement.deactivated(0, "")
                        : placement.activated(placement.rank() - 1, ""))
                .toList());
    }

    @Test
    void iterationsLeaveNoWatchesBehind() {
        List<OpenWatches> watches = new ArrayList<>();
        Scenario scenario = growing();
        scenario.wayToStore = session -> {
            OpenWatches counted = new OpenWatches(session);
            watches.add(counted);
            return counted;
        };
        try (SteppedJob job = started(scenario)) {
            List<Integer> counts = new ArrayList<>();
            for (int iteration = 1; iteration <= 10; iteration++) {
                job.fail(job.rank(1));
                job.untilAll(RUNNING);
                long step = 10L + iteration; // further than before, or the rank pauses
                job.ranks().forEach(rank -> rank.orderStep(step));
                settle(job);
                counts.add(watches.stream().mapToInt(each -> each.keys().size()).sum());
            }

            assertThat(counts.subList(2, 10)).containsOnly(counts.get(1));
        }
    }
}
