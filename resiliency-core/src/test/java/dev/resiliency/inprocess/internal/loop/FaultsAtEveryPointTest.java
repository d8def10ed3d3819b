package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.CLOSED;
import static dev.resiliency.inprocess.internal.loop.LoopState.LAST_CALL;
import static dev.resiliency.inprocess.internal.loop.LoopState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import dev.resiliency.inprocess.rank.RankAssignment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One fault, or two at once, while the affected ranks are in any state of the restart loop. */
class FaultsAtEveryPointTest {
    private static final int RANKS = 4;
    private static final RankAssignment ALL =
            RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());

    /** Keeps the ranks that will die in their state; opened at the end. */
    private final CountDownLatch hold = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        hold.countDown();
    }

    static Stream<Arguments> deaths() {
        // The leader, another rank, the last one, and two at once, with and without the leader.
        List<List<Integer>> victims = List.of(List.of(0), List.of(1), List.of(3), List.of(0, 1), List.of(1, 2));
        // Those of a job that outlives the host of its store are in RefoundingHistoriesTest.
        return EnumSet.complementOf(EnumSet.of(
                        LoopState.JOINING,
                        LoopState.AGREEING,
                        LoopState.BACKING_OFF,
                        LoopState.REFOUNDING,
                        LoopState.ACKNOWLEDGING,
                        LoopState.LEAVING,
                        CLOSED))
                .stream()
                .flatMap(state -> victims.stream().map(ranks -> Arguments.of(state, ranks)));
    }

    @ParameterizedTest(name = "in {0} ranks {1} die")
    @MethodSource("deaths")
    void othersGoOnWithoutThoseThatDie(LoopState state, List<Integer> victims) throws Exception {
        try (SteppedJob job = new SteppedJob(RANKS, holding(state, victims))) {
            bring(job, state, victims);
            List<SteppedRank> survivors = new ArrayList<>(job.ranks());
            for (int victim : victims) {
                assertThat(job.rank(victim).state()).isEqualTo(state);
                job.kill(job.rank(victim));
                survivors.remove(job.rank(victim));
            }

            boolean complete = state == LoopState.FINISHING || state == LoopState.PARTING;
            if (complete) {
                hold.countDown();
            } else {
                finish(job, survivors);
            }
            job.untilAll(CLOSED);

            assertThat(survivors).allSatisfy(rank -> {
                assertThat(rank.loop.departure()).isNull();
                assertThat(rank.loop.result()).isEqualTo("done");
                // A death before the first iteration or after the last one costs no restart, any other costs one.
                assertThat(rank.reports).hasSize(complete || state == LoopState.FOUNDING ? 0 : 1);
            });
        }
    }

    /** The same, while as many others wait to join as die: they take the places of the dead. */
    @ParameterizedTest(name = "in {0} ranks {1} die")
    @MethodSource("deaths")
    void othersGoOnWithThoseWhoWait(LoopState state, List<Integer> victims) throws Exception {
        if (state == LoopState.FOUNDING || state == LoopState.FINISHING || state == LoopState.PARTING) {
            return; // there is nothing to join yet, or nothing is left to do
        }
        try (SteppedJob job = new SteppedJob(RANKS, holding(state, victims))) {
            bring(job, state, victims);
            List<SteppedRank> all = new ArrayList<>(job.ranks());
            for (int victim : victims) {
                all.add(job.come(victim));
                job.kill(job.rank(victim));
            }
            victims.forEach(victim -> all.remove(job.rank(victim)));

            finish(job, all);
            job.untilAll(CLOSED);

            assertThat(all).allSatisfy(rank -> {
                assertThat(rank.loop.departure()).isNull();
                assertThat(rank.loop.result()).isEqualTo("done");
                // Whether they came in time for the restart that the deaths cost or a moment later: at most one more.
                assertThat(rank.reports.size()).isLessThanOrEqualTo(2);
            });
        }
    }

    /** Returns hooks that keep the victims in a state, or keep the others from overtaking the victims. */
    private Scenario holding(LoopState state, List<Integer> victims) {
        Scenario scenario = new Scenario();
        Predicate<State> isVictim = rank -> victims.contains(rank.initialRank());
        switch (state) {
            case FINALIZING -> scenario.finish = rank -> holdIf(isVictim.test(rank));
            case CHECKING_HEALTH -> scenario.healthCheck = rank -> holdIf(isVictim.test(rank) && isBetweenIterations());
            case FINISHING -> scenario.completion = rank -> holdIf(isVictim.test(rank));
            case PARTING -> scenario.completion = rank -> holdIf(!isVictim.test(rank));
            default -> {}
        }
        return scenario;
    }

    private static boolean isBetweenIterations() {
        return Thread.currentThread().getName().startsWith("resiliency-health-check-");
    }

    private void holdIf(boolean condition) throws InterruptedException {
        if (condition) {
            hold.await();
        }
    }

    /** Brings the victims into a state; the others may be in any state. */
    private void bring(SteppedJob job, LoopState state, List<Integer> victims) throws InterruptedException {
        List<SteppedRank> dying = victims.stream().map(job::rank).toList();
        SteppedRank[] all = dying.toArray(SteppedRank[]::new);
        if (state == LoopState.FOUNDING) {
            return;
        }
        job.untilAll(RUNNING);
        job.askAhead(job.rank(0), job.rank(2)); // and the others do not
        switch (state) {
            case RUNNING -> {}
            case AWAITING -> dying.forEach(rank -> rank.orderReturn("too early"));
            case FINISHING, PARTING -> job.ranks().forEach(rank -> rank.orderReturn("done"));
            default -> {
                if (state == LoopState.ABORTING) {
                    CountDownLatch inside = new CountDownLatch(dying.size());
                    dying.forEach(rank -> rank.orderAndAwaitBegin(call -> {
                        call.atomic();
                        inside.countDown();
                        swallowInterrupts();
                        return "late";
                    }));
                    inside.await();
                } else if (state == LoopState.STOPPING) {
                    dying.forEach(rank -> rank.orderAndAwaitBegin(call -> {
                        swallowInterrupts();
                        return "late";
                    }));
                }
                interruptBySomebodyElse(job, victims);
                job.untilAll(LAST_CALL);
                if (state != LAST_CALL) {
                    job.passLastCall();
                }
            }
        }
        if (state == LoopState.REGROUPING) {
            dying.forEach(rank -> job.only(rank, state)); // the others come later
        } else {
            job.until(state, all);
        }
    }

    /** Interrupts the iteration like a fault on a surviving rank. */
    private static void interruptBySomebodyElse(SteppedJob job, List<Integer> victims) {
        job.ranks().stream()
                .filter(rank -> !victims.contains(job.ranks().indexOf(rank)))
                .findFirst()
                .orElseThrow()
                .orderThrow(new IllegalStateException("NaN"));
    }

    private void swallowInterrupts() {
        while (hold.getCount() > 0) {
            try {
                hold.await();
            } catch (InterruptedException swallowed) {
                // as badly written code does
            }
        }
    }

    /** Lets the survivors regroup and complete. */
    private static void finish(SteppedJob job, List<SteppedRank> survivors) {
        untilWithRestarts(
                job,
                () -> survivors.stream()
                        .allMatch(rank -> rank.state() == RUNNING && worldSizeOf(rank) == survivors.size()),
                "a world of " + survivors.size());
        survivors.forEach(rank -> rank.orderReturn("done"));
    }

    private static void untilWithRestarts(SteppedJob job, BooleanSupplier condition, String what) {
        job.until(
                () -> {
                    if (job.isAnyIn(LAST_CALL)) {
                        job.passLastCall();
                    }
                    return condition.getAsBoolean();
                },
                what);
    }

    private static int worldSizeOf(SteppedRank rank) {
        return rank.iterations.get(rank.iterations.size() - 1).worldSize();
    }

    private static RestartReport onlyReport(SteppedRank rank) {
        assertThat(rank.reports).hasSize(1);
        return rank.reports.get(0);
    }

    @Test
    void deathAndExceptionAtOnceAreTwoRecordsAndOneRestart() throws Exception {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            Thread worker = job.rank(0).worker();
            job.rank(0).orderThrow(new IllegalStateException("NaN"));
            worker.join();
            job.kill(job.rank(2));

            job.restart();

            assertThat(onlyReport(job.rank(1)).interruptions())
                    .extracting(Interruption::rank, Interruption::kind)
                    .contains(tuple(2, Kind.TERMINATED));
            assertThat(onlyReport(job.rank(1)).state().worldSize()).isEqualTo(2);
        }
    }

    @Test
    void deathDuringInitializeRestartsTheOthers() {
        Scenario scenario = new Scenario();
        scenario.initialize = state -> holdIf(state.initialRank() == 1 && state.iteration() == 0);
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);

            job.kill(job.rank(1));
            finish(job, List.of(job.rank(0), job.rank(2)));
            job.untilAll(CLOSED);

            assertThat(onlyReport(job.rank(2)).state().activeRank()).isEqualTo(1);
        }
    }

    @Test
    void faultInInitializeAfterARestartIsAnotherRestart() {
        Scenario scenario = new Scenario();
        scenario.initialize = state -> {
            if (state.initialRank() == 1 && state.iteration() == 1) {
                throw new IllegalStateException("checkpoint is torn");
            }
        };
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderThrow(new IllegalStateException("NaN"));
            untilWithRestarts(
                    job, () -> job.ranks().stream().allMatch(rank -> rank.reports.size() == 2), "two restarts");

            job.ranks().forEach(rank -> rank.orderReturn("done"));
            job.untilAll(CLOSED);

            assertThat(job.rank(0).reports)
                    .extracting(report -> report.interruptions().get(0).rank())
                    .containsExactly(0, 1);
        }
    }

    @Test
    void faultOnARankThatOthersStillWaitForInARestartIsAnotherRestart() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(0).orderThrow(new IllegalStateException("first"));
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.until(() -> !job.rank(0).reports.isEmpty(), "rank 0 to be in iteration 1");
            // Rank 0 fails again, at once; rank 1 may not have begun iteration 1 by then.
            job.rank(0).orderThrow(new IllegalStateException("second"));
            job.restart();

            assertThat(job.rank(1).reports)
                    .extracting(RestartReport::interrupted)
                    .containsExactly(0, 1);
        }
    }

    @Test
    void leaderThatDiesWhileItAssignsIsFollowedByTheNext() {
        duringAssignment(job -> job.rank(0).die(), job -> {
            job.until(CLOSED, job.rank(0));
            finish(job, List.of(job.rank(1), job.rank(2)));
            job.untilAll(CLOSED);
            assertThat(onlyReport(job.rank(1)).state().worldSize()).isEqualTo(2);
            assertThat(job.rank(0).loop.departure()).isNotNull();
        });
    }

    @Test
    void memberThatDiesWhileTheLeaderAssignsIsLeftOut() {
        duringAssignment(job -> job.rank(2).die(), job -> {
            finish(job, List.of(job.rank(0), job.rank(1)));
            job.untilAll(CLOSED);
            assertThat(onlyReport(job.rank(1)).state().worldSize()).isEqualTo(2);
            assertThat(onlyReport(job.rank(1)).interruptions())
                    .extracting(Interruption::rank, Interruption::kind)
                    .containsExactly(tuple(1, Kind.EXCEPTION), tuple(2, Kind.TERMINATED));
        });
    }

    /** Injects a fault while the leader computes the assignment after the first fault. */
    private static void duringAssignment(Consumer<SteppedJob> fault, Consumer<SteppedJob> end) {
        List<SteppedJob> theJob = new ArrayList<>();
        AtomicBoolean done = new AtomicBoolean();
        Scenario scenario = new Scenario();
        scenario.assignment = world -> {
            if (!world.isNew() && !done.getAndSet(true)) {
                fault.accept(theJob.get(0));
            }
            return ALL.assign(world);
        };
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            theJob.add(job);
            job.untilAll(RUNNING);
            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            job.untilAll(LAST_CALL);
            job.passLastCall();
            end.accept(job);
        }
    }

    @Test
    void rankThatGivesUpInTheCompletionBarrierLeavesTheOthersToGoOn() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            job.rank(0).orderReturn("too early");
            job.until(LoopState.AWAITING, job.rank(0));

            job.rank(0).loop.raise(new InterruptedException());
            job.until(CLOSED, job.rank(0));
            finish(job, List.of(job.rank(1), job.rank(2)));
            job.untilAll(CLOSED);

            assertThat(job.rank(1).loop.result()).isEqualTo("done");
        }
    }

    @Test
    void rankThatGivesUpWhileFinishingDoesNotCostTheOthersTheirResult() {
        Scenario scenario = new Scenario();
        scenario.completion = state -> {
            if (state.initialRank() == 1) {
                throw new IllegalStateException("no space for the model");
            }
        };
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);
            job.ranks().forEach(rank -> rank.orderReturn("done"));
            job.untilAll(CLOSED);

            assertThat(job.rank(1).loop.departure()).hasMessage("no space for the model");
            for (int rank : Set.of(0, 2)) {
                assertThat(job.rank(rank).loop.result()).isEqualTo("done");
                assertThat(job.rank(rank).reports).isEmpty();
            }
        }
    }

    @Test
    void allThatAbortAtOnceLeave() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            job.ranks().forEach(rank -> rank.orderThrow(new RestartAbort("enough")));

            untilWithRestarts(
                    job, () -> job.ranks().stream().allMatch(rank -> rank.state() == CLOSED), "all to be closed");

            assertThat(job.ranks())
                    .allSatisfy(rank -> assertThat(rank.loop.departure()).isInstanceOf(RestartAbort.class));
        }
    }
}
