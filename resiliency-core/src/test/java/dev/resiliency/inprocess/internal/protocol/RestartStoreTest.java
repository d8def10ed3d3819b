package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.internal.protocol.RestartStore.Regrouped;
import dev.resiliency.inprocess.internal.protocol.RestartStore.WorldBefore;
import dev.resiliency.inprocess.rank.ActivateAllRanks;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.ShiftRanks;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.BarrierOverflowException;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.Change;
import dev.resiliency.store.InMemoryStore;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rules of the restart protocol, with ranks that are sessions of one store in memory. */
@Timeout(60)
class RestartStoreTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final RankAssignment ALL = RankAssignment.compose(new ActivateAllRanks(), new ShiftRanks());

    private final InMemoryStore store = InMemoryStore.create(LIMIT);
    private final List<Rank> ranks =
            IntStream.range(0, 3).mapToObj(rank -> new Rank(rank, 3)).toList();

    /** What one rank asks, and what it is told. */
    private final class Rank {
        final InMemoryStore session = store.newSession();
        final RestartStore view;
        final List<Change> terminated = new ArrayList<>();
        final List<Outcome> outcomes = new ArrayList<>();

        @Nullable
        Consumer<Change> ended;

        @Nullable
        Consumer<Change> listener;

        CompletableFuture<Regrouped> regrouped = new CompletableFuture<>();

        Rank(int rank, int worldSize) {
            view = new RestartStore(session, rank, worldSize);
            view.watchTerminated(terminated::add);
        }

        void regroup(int k) {
            ask(k);
            arrive(k);
        }

        void arrive(int k) {
            assertThat(view.arrive(k)).isCompleted();
        }

        void ask(int k) {
            Consumer<Change> beforeLast = ended;
            ended = listener;
            listener =
                    change -> Stream.ofNullable(RestartStore.outcomeOf(change)).forEach(outcomes::add);
            regrouped = view.awaitDecision(k, beforeLast, listener);
        }

        Decision decision() {
            return regrouped.join().decision();
        }
    }

    @AfterEach
    void close() {
        ranks.forEach(rank -> rank.session.close());
        store.close();
    }

    private void enter(int k) {
        ranks.forEach(rank -> rank.regroup(k));
        lead(0, k, ALL);
    }

    private void regroup(int k, int... whom) {
        IntStream.of(whom).forEach(rank -> ranks.get(rank).regroup(k));
    }

    private void lead(int leader, int k, RankAssignment assignment) {
        RestartStore view = ranks.get(leader).view;
        WorldBefore before = view.worldBefore(k, LIMIT).join();
        assertThat(view.decide(k, before, assignment.assign(before.world()))).isCompletedWithValue(true);
    }

    private Outcome interrupt(int rank, int k, String message) {
        return ranks.get(rank)
                .view
                .interrupt(k, List.of(new Interruption(rank, Kind.EXCEPTION, null, message)))
                .join();
    }

    private List<CompletableFuture<?>> complete(int k) {
        List<CompletableFuture<?>> arrivals = new ArrayList<>();
        ranks.forEach(rank -> arrivals.add(rank.view.complete(k, LIMIT)));
        return arrivals;
    }

    private void assertAllHeard(Outcome outcome) {
        assertThat(ranks).allSatisfy(rank -> assertThat(rank.outcomes).containsExactly(outcome));
    }

    @Test
    void ofVeryManyThatFailTheFirstAreToldAndThereIsRoomForDeaths() throws Exception {
        int worldSize = 16_384;
        RestartStore view = new RestartStore(store, 7, worldSize);
        store.set("0/decision", "0"); // or else what is told of it is removed
        String message = "x".repeat(400);

        for (int rank = 0; rank < 100; rank++) {
            view.interrupt(0, List.of(new Interruption(rank, Kind.EXCEPTION, null, message)))
                    .join();
        }
        int told = store.get("0/records").size();
        view.leave(0, new Interruption(7, Kind.TERMINATED_BY_RANK, null, "enough"))
                .join();

        assertThat(told).as("of 8 KiB for each rank, half").isBetween(4096, 4096 + 500);
        assertThat(store.get("0/records").text()).endsWith("7 TERMINATED_BY_RANK - enough\n");
    }

    @Test
    void ofAFewThatFailAllAreTold() throws Exception {
        RestartStore view = new RestartStore(store, 0, 64);

        for (int rank = 0; rank < 64; rank++) {
            view.interrupt(0, List.of(new Interruption(rank, Kind.EXCEPTION, null, "x".repeat(400))))
                    .join();
        }

        assertThat(InterruptionCodec.readAll(store.get("0/records"))).hasSize(64);
    }

    @Test
    void rankWaitsUntilAllHaveArrivedAndTheLeaderHasDecided() {
        ranks.get(0).regroup(0);
        ranks.get(1).regroup(0);
        CompletableFuture<WorldBefore> before = ranks.get(0).view.worldBefore(0, LIMIT);
        assertThat(before).isNotDone();

        ranks.get(2).regroup(0);
        assertThat(before).isCompletedWithValue(new WorldBefore(World.initial(3), IndexSet.empty()));
        assertThat(ranks.get(1).regrouped).isNotDone();

        lead(0, 0, ALL);
        assertThat(ranks.get(1).decision()).isInstanceOfSatisfying(Decision.Placed.class, placed -> {
            assertThat(placed.state().activeRank()).isEqualTo(1);
            assertThat(placed.state().worldSize()).isEqualTo(3);
            assertThat(placed.terminated()).isZero();
        });
    }

    @Test
    void faultInterruptsTheIterationOnAllRanks() {
        enter(0);

        assertThat(interrupt(1, 0, "NaN")).isEqualTo(Outcome.INTERRUPTED);

        assertAllHeard(Outcome.INTERRUPTED);
        enter(1);
        assertThat(ranks.get(2).regrouped.join().interruptions())
                .containsExactly(new Interruption(1, Kind.EXCEPTION, null, "NaN"));
    }

    @Test
    void lastArrivalCompletesTheIterationOnAllRanks() {
        enter(0);
        assertThat(ranks.get(0).view.complete(0, LIMIT)).isNotDone();
        assertThat(ranks.get(1).outcomes).isEmpty();

        assertThat(complete(0)).allSatisfy(arrival -> assertThat(arrival).isDone());

        assertAllHeard(Outcome.COMPLETED);
    }

    @Test
    void faultAfterTheCompletionComesTooLate() {
        enter(0);
        complete(0);

        assertThat(interrupt(1, 0, "NaN")).isEqualTo(Outcome.COMPLETED);

        assertAllHeard(Outcome.COMPLETED);
    }

    @Test
    void completionAfterAFaultComesTooLate() {
        enter(0);
        interrupt(1, 0, "NaN");

        complete(0);

        assertAllHeard(Outcome.INTERRUPTED);
    }

    @Test
    void deathIsToldRecordedAndInterruptsAtOnce() throws Exception {
        enter(0);

        ranks.get(2).session.abandon();

        assertThat(ranks.subList(0, 2)).allSatisfy(rank -> {
            assertThat(rank.terminated).containsExactly(new Change.Joined("terminated", IndexSet.of(2)));
            assertThat(rank.outcomes).containsExactly(Outcome.INTERRUPTED);
        });
        assertThat(store.get("0/records").text()).startsWith("2 TERMINATED - ");
    }

    @Test
    void deathBeforeTheFirstIterationExcusesTheRank() {
        ranks.forEach(rank -> rank.regroup(0));

        ranks.get(0).session.abandon();
        lead(1, 0, ALL);

        assertThat(ranks.get(1).decision()).isInstanceOfSatisfying(Decision.Placed.class, placed -> {
            assertThat(placed.state().activeRank()).isZero();
            assertThat(placed.state().worldSize()).isEqualTo(2);
            assertThat(placed.terminated()).isEqualTo(1);
        });
        assertThat(ranks.get(1).outcomes).isEmpty();
    }

    @Test
    void deathAtTheIterationBarrierExcusesTheRank() {
        enter(0);
        interrupt(0, 0, "NaN");
        regroup(1, 0, 1);

        ranks.get(2).session.abandon();
        lead(0, 1, ALL);

        assertThat(ranks.get(1).decision())
                .isInstanceOfSatisfying(
                        Decision.Placed.class,
                        placed -> assertThat(placed.state().worldSize()).isEqualTo(2));
    }

    @Test
    void rankThatLeavesIsExcusedAndSaysWhy() {
        enter(0);

        assertThat(ranks.get(2).view.leave(0, new Interruption(2, Kind.TERMINATED_BY_RANK, null, "no more data")))
                .isDone();

        assertThat(ranks.get(0).terminated).hasSize(1);
        regroup(1, 0, 1);
        lead(0, 1, ALL);
        assertThat(ranks.get(1).regrouped.join().interruptions())
                .containsExactly(new Interruption(2, Kind.TERMINATED_BY_RANK, null, "no more data"));
    }

    @Test
    void deathReportedTwiceIsToldOnce() {
        enter(0);

        ranks.get(2).session.abandon();
        assertThat(ranks.get(1).view.interrupt(0, List.of(new Interruption(2, Kind.TERMINATED, null, "it died"))))
                .isCompletedWithValue(Outcome.INTERRUPTED);

        assertThat(ranks.get(0).terminated).hasSize(1);
        assertThat(ranks.get(0).outcomes).containsExactly(Outcome.INTERRUPTED);
    }

    @Test
    void firstDecisionStandsForAllIfTwoTakeThemselvesForTheLeader() throws Exception {
        ranks.forEach(rank -> rank.regroup(0));

        lead(1, 0, ALL);
        lead(0, 0, world -> ALL.assign(world.lose(IndexSet.of(2))));

        assertThat(ranks)
                .allSatisfy(rank -> assertThat(rank.decision())
                        .isInstanceOfSatisfying(
                                Decision.Placed.class,
                                placed -> assertThat(placed.state().worldSize()).isEqualTo(3)));
        assertThat(store.members("0/active")).isEqualTo(IndexSet.range(0, 3));
        assertThat(store.members("terminated")).isEqualTo(IndexSet.empty());
    }

    @Test
    void whoHasDecidedAndWhoHasNotDecideNextFromTheSameWorld() {
        ranks.forEach(rank -> rank.regroup(0));
        lead(1, 0, ALL);
        lead(0, 0, world -> ALL.assign(world.lose(IndexSet.of(2)))); // comes too late
        interrupt(2, 0, "NaN");
        ranks.forEach(rank -> rank.regroup(1));

        WorldBefore remembered = ranks.get(1).view.worldBefore(1, LIMIT).join();

        assertThat(ranks.get(0).view.worldBefore(1, LIMIT)).isCompletedWithValue(remembered);
        assertThat(remembered.world().activeMembers()).isEqualTo(IndexSet.range(0, 3));
    }

    @Test
    void nothingIsDecidedIfARankHasLeftSinceTheWorldWasRead() throws Exception {
        ranks.forEach(rank -> rank.regroup(0));
        RestartStore leader = ranks.get(0).view;
        WorldBefore before = leader.worldBefore(0, LIMIT).join();

        ranks.get(2).session.abandon();

        World outdated = ALL.assign(before.world().lose(IndexSet.of(1)));
        assertThat(leader.decide(0, before, outdated)).isCompletedWithValue(false);
        assertThat(store.keys("")).containsExactly("initial", "terminated");
        assertThat(store.members("terminated")).isEqualTo(IndexSet.of(2));

        lead(0, 0, ALL);
        assertThat(ranks.get(1).decision())
                .isInstanceOfSatisfying(
                        Decision.Placed.class,
                        placed -> assertThat(placed.state().worldSize()).isEqualTo(2));
    }

    @Test
    void rankThatTheAssignmentLeavesOutIsToldAndCountsAsTerminated() throws Exception {
        ranks.forEach(rank -> rank.regroup(0));

        lead(0, 0, world -> ALL.assign(world.lose(IndexSet.of(2))));

        assertThat(ranks.get(2).decision()).isInstanceOf(Decision.Discarded.class);
        assertThat(ranks.get(0).decision()).isInstanceOf(Decision.Placed.class);
        assertThat(store.members("terminated")).isEqualTo(IndexSet.of(2));
        assertThat(ranks.get(0).outcomes).isEmpty();
    }

    @Test
    void keysOfTheIterationBeforeTheLastAreRemoved() throws Exception {
        for (int k = 0; k < 2; k++) {
            enter(k);
            ranks.get(0).view.userStore(k).set("address", "here");
            interrupt(0, k, "NaN");
        }
        assertThat(store.keys("0/")).isNotEmpty();

        enter(2);

        assertThat(store.keys("0/")).isEmpty();
        assertThat(store.get("1/user/address").text()).isEqualTo("here");
    }

    @Test
    void rankThatHasLeftSaysNothingMoreWhenItsProcessEnds() throws Exception {
        enter(0);
        assertThat(ranks.get(2).view.leave(0, new Interruption(2, Kind.TERMINATED_BY_RANK, null, "no more data")))
                .isDone();
        store.execute(new Operation.DeleteAll("0/"), LIMIT); // as the others do in a later iteration

        ranks.get(2).session.abandon();

        assertThat(store.keys("0/")).isEmpty();
    }

    @Test
    void whoLeavesWhenTheNextIterationIsJustDecidedInterruptsThat() {
        enter(0);
        interrupt(0, 0, "NaN");
        enter(1);

        ranks.get(2)
                .view
                .leave(0, new Interruption(2, Kind.MONITOR_PROCESS_LOST, null, "it ended"))
                .join();

        assertThat(ranks.get(0).outcomes).containsExactly(Outcome.INTERRUPTED, Outcome.INTERRUPTED); // of 0 and of 1
        ranks.get(0).regroup(2);
        ranks.get(1).regroup(2);
        lead(0, 2, ALL);
        assertThat(ranks.get(1).regrouped.join().interruptions())
                .containsExactly(new Interruption(2, Kind.MONITOR_PROCESS_LOST, null, "it ended"));
    }

    @Test
    void deathThatIsToldAgainDoesNotInterruptTheNextIteration() {
        enter(0);
        ranks.get(2).session.abandon(); // its last will
        regroup(1, 0, 1);
        lead(0, 1, ALL);
        ranks.get(1).outcomes.clear();
        RestartStore monitor = new RestartStore(store.newSession(), 2, 3);

        monitor.leave(0, new Interruption(2, Kind.HARD_TIMEOUT, null, "it hangs"))
                .join();

        assertThat(ranks.get(1).outcomes).isEmpty();
    }

    @Test
    void deathThatIsToldLateLeavesNoKeys() throws Exception {
        enter(0);
        RestartStore monitor = new RestartStore(store.newSession(), 2, 3);
        monitor.leave(0, new Interruption(2, Kind.HARD_TIMEOUT, null, "it hangs"))
                .join();
        for (int k = 1; k <= 2; k++) {
            ranks.get(0).regroup(k);
            ranks.get(1).regroup(k);
            lead(0, k, ALL);
            interrupt(0, k, "NaN");
        }
        assertThat(store.keys("0/")).isEmpty();

        ranks.get(2).session.abandon(); // its last will
        monitor.leave(0, new Interruption(2, Kind.TERMINATED, null, "it died")).join();

        assertThat(store.keys("0/")).isEmpty();
        assertThat(store.keys("1/")).isNotEmpty();
    }

    @Test
    void whoAsksAboutTheNextIterationHearsNoMoreOfTheOneBefore() throws Exception {
        enter(0);
        interrupt(1, 0, "NaN");
        enter(1);

        ranks.get(0).ask(2);
        store.set("0/outcome", "INTERRUPTED");

        assertThat(ranks.get(0).outcomes).hasSize(1);
        assertThat(ranks.get(1).outcomes).hasSize(2);
    }

    @Test
    void decisionMayBeAskedForLongBeforeItIsDue() throws Exception {
        enter(0);
        ranks.forEach(rank -> rank.ask(1));
        interrupt(1, 0, "NaN");
        ranks.forEach(rank -> rank.arrive(1));
        assertThat(ranks).noneMatch(rank -> rank.regrouped.isDone());

        lead(0, 1, ALL);

        assertThat(ranks.get(2).decision()).isInstanceOf(Decision.Placed.class);
        assertThat(ranks.get(2).regrouped.join().interruptions()).hasSize(1);
        ranks.get(2).session.abandon();
        assertThat(store.get("1/records").text())
                .as("its last will is that of iteration 1")
                .startsWith("2 TERMINATED");
    }

    @Test
    void whoAskedAndIsLostBeforeItStopsIsDecidedNothing() {
        enter(0);
        ranks.get(2).ask(1);
        ranks.get(0).view.terminations().reportLost(0, new Interruption(2, Kind.TERMINATED, null, "its host is lost"));
        regroup(1, 0, 1);

        lead(0, 1, ALL);
        assertThat(ranks.get(2).regrouped).isNotDone();
        ranks.get(2).session.abandon();

        assertThat(ranks.get(1).decision()).isInstanceOf(Decision.Placed.class);
        assertThat(ranks.get(1).outcomes).as("of iteration 0 alone").containsExactly(Outcome.INTERRUPTED);
    }

    @Test
    void whoAskedAndLeavesWhileTheTrainingRunsLeavesNoLastWill() throws Exception {
        enter(0);
        ranks.get(2).ask(1);
        ranks.get(2)
                .view
                .leave(0, new Interruption(2, Kind.TERMINATED_BY_RANK, null, "enough"))
                .join();
        regroup(1, 0, 1);
        lead(0, 1, ALL);

        ranks.get(2).session.abandon();

        assertThat(store.check(List.of("1/outcome"))).isFalse();
    }

    @Test
    void whoWaitsInVainForADecisionIsToldWhoHasNotStopped() {
        ranks.get(0).regroup(0);

        ranks.get(1).regroup(0);

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(ranks.get(1).view.awaitDecisionWithin(0, Duration.ofMillis(1), Duration.ofSeconds(2))::get)
                .havingCause()
                .isInstanceOfSatisfying(BarrierTimeoutException.class, late -> {
                    assertThat(late.missing()).isEqualTo(IndexSet.of(2));
                    assertThat(late.timeout()).isEqualTo(Duration.ofSeconds(2));
                });
    }

    @Test
    void whoWaitsInVainForALeaderIsToldSo() {
        ranks.get(0).regroup(0);
        ranks.get(2).regroup(0);

        ranks.get(1).regroup(0);

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(ranks.get(1).view.awaitDecisionWithin(0, Duration.ofMillis(1), Duration.ofSeconds(2))::get)
                .havingCause()
                .isInstanceOf(StoreTimeoutException.class)
                .withMessage("all have stopped, and nobody has decided iteration 0 within 2.0 s");
    }

    @Test
    void whoWaitsForLongArrivesAgainInCaseThatItsArrivalWasLost() {
        enter(0);
        interrupt(1, 0, "NaN");
        regroup(1, 0, 1);
        ranks.get(2).ask(1);

        CompletableFuture<?> waiting = ranks.get(2).view.awaitDecisionWithin(1, LIMIT, LIMIT);
        lead(0, 1, ALL);

        assertThat(ranks.get(2).decision()).isInstanceOf(Decision.Placed.class);
        assertThat(waiting).isCompleted();
    }

    @Test
    void storeThatDoesNotAnswerIsNotTakenForALeaderThatIsMissing() {
        StoreTimeoutException silent = new StoreTimeoutException("the store did not answer", LIMIT);
        Store store = mock();
        when(store.batch()).thenCallRealMethod();
        when(store.submit(any(), any())).thenReturn(CompletableFuture.failedFuture(silent));

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(new RestartStore(store, 0, 3).awaitDecisionWithin(0, LIMIT, LIMIT)::get)
                .withCause(silent);
    }

    @Test
    void rankOfALargerJobIsToldAtOnceThatItMayNotJoin() {
        ranks.get(0).regroup(0);

        try (InMemoryStore session = store.newSession()) {
            CompletableFuture<?> arrival = new RestartStore(session, 5, 8).arrive(0);

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(arrival::get)
                    .withCauseInstanceOf(BarrierOverflowException.class);
        }
    }

    @Test
    void rankThatDoesNotCompleteInTimeIsNamed() {
        enter(0);
        assertThat(ranks.get(0).view.complete(0, LIMIT)).isNotDone();

        CompletableFuture<?> arrival = ranks.get(1).view.complete(0, Duration.ofMillis(1));

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(arrival::get)
                .havingCause()
                .isInstanceOfSatisfying(
                        BarrierTimeoutException.class,
                        late -> assertThat(late.missing()).isEqualTo(IndexSet.of(2)));
    }

    @Test
    void partingWaitsForTheLivingOnly() {
        enter(0);
        CompletableFuture<?> first = ranks.get(0).view.part(LIMIT);
        CompletableFuture<?> second = ranks.get(1).view.part(LIMIT);
        assertThat(first).isNotDone();

        ranks.get(2).session.abandon();

        assertThat(first).isDone();
        assertThat(second).isDone();
    }

    @Test
    void userStoreOfAnIterationRefusesWhatWouldChangeTheSession() {
        Store user = ranks.get(0).view.userStore(0);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> user.lastWill(new Operation.Add("deaths", 1)))
                .withMessageContaining("open a store of your own");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> user.send(List.of(new Operation.Lease(Duration.ofSeconds(1)))));
    }

    @Test
    void whatTheFunctionWatchedIsWatchedNoMoreInTheNextIteration() throws Exception {
        List<Change> told = new ArrayList<>();
        RestartStore view = ranks.get(0).view;
        view.userStore(0).watch("key", told::add);
        store.set("0/user/key", "first");
        assertThat(told).hasSize(1);

        view.userStore(1);
        store.set("0/user/key", "second");

        assertThat(told).hasSize(1);
    }

    @Test
    void closingTheUserStoreEndsNothing() throws Exception {
        enter(0);

        ranks.get(0).view.userStore(0).close();

        ranks.get(0).session.set("key", "value");
        assertThat(ranks.get(1).terminated).isEmpty();
    }
}
