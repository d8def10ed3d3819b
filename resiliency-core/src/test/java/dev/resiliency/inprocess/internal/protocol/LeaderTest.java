package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.protocol.Joiner.Admitted;
import dev.resiliency.inprocess.internal.protocol.Leader.Promised;
import dev.resiliency.inprocess.internal.protocol.Leader.WorldBefore;
import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Rule 6: the leader decides for all. */
class LeaderTest extends ThreeRanks {
    @Test
    void rankWaitsUntilAllHaveArrivedAndTheLeaderHasDecided() {
        ranks.get(0).regroup(0);
        ranks.get(1).regroup(0);
        CompletableFuture<WorldBefore> before = ranks.get(0).view.leader().worldBefore(0, LIMIT);
        assertThat(before).isNotDone();

        ranks.get(2).regroup(0);
        assertThat(before)
                .isCompletedWithValue(new WorldBefore(
                        World.initial(3),
                        IndexSet.empty(),
                        IndexSet.empty(),
                        new Promised(false, IndexSet.empty()),
                        Map.of()));
        assertThat(ranks.get(1).regrouped).isNotDone();

        lead(0, 0, ALL);
        assertThat(ranks.get(1).decision()).isInstanceOfSatisfying(Decision.Placed.class, placed -> {
            assertThat(placed.state().activeRank()).isEqualTo(1);
            assertThat(placed.state().worldSize()).isEqualTo(3);
            assertThat(placed.removed().isEmpty()).isTrue();
            assertThat(placed.added().isEmpty()).isTrue();
        });
    }

    @Test
    void firstDecisionStandsForAllIfTwoRanksActAsLeader() throws Exception {
        ranks.forEach(rank -> rank.regroup(0));

        lead(1, 0, ALL);
        lead(0, 0, world -> ALL.assign(world.lose(IndexSet.of(2))));

        assertThat(ranks)
                .allSatisfy(rank -> assertThat(rank.decision())
                        .isInstanceOfSatisfying(
                                Decision.Placed.class,
                                placed -> assertThat(placed.state().worldSize()).isEqualTo(3)));
        assertThat(store.members("0/0/active")).isEqualTo(IndexSet.range(0, 3));
        assertThat(store.members("0/terminated")).isEqualTo(IndexSet.empty());
    }

    @Test
    void formerLeaderAndAnotherRankDecideFromTheSameWorld() {
        ranks.forEach(rank -> rank.regroup(0));
        lead(1, 0, ALL);
        lead(0, 0, world -> ALL.assign(world.lose(IndexSet.of(2)))); // comes too late
        interrupt(2, 0, "NaN");
        ranks.forEach(rank -> rank.regroup(1));

        WorldBefore remembered =
                ranks.get(1).view.leader().worldBefore(1, LIMIT).join();

        assertThat(ranks.get(0).view.leader().worldBefore(1, LIMIT)).isCompletedWithValue(remembered);
        assertThat(remembered.world().activeMembers()).isEqualTo(IndexSet.range(0, 3));
    }

    @Test
    void nothingIsDecidedIfARankHasLeftSinceTheWorldWasRead() throws Exception {
        ranks.forEach(rank -> rank.regroup(0));
        RestartStore leader = ranks.get(0).view;
        WorldBefore before = leader.leader().worldBefore(0, LIMIT).join();

        ranks.get(2).session.abandon();

        World outdated = ALL.assign(before.world().lose(IndexSet.of(1)));
        assertThat(leader.leader().decide(0, before, outdated)).isCompletedWithValue(false);
        assertThat(store.keys(""))
                .containsExactly(
                        "0/-1/records",
                        "0/initial",
                        "0/job",
                        "0/ranks/0",
                        "0/ranks/1",
                        "0/ranks/2",
                        "0/run",
                        "0/terminated",
                        "generation");
        assertThat(store.members("0/terminated")).isEqualTo(IndexSet.of(2));

        lead(0, 0, ALL);
        assertThat(ranks.get(1).decision())
                .isInstanceOfSatisfying(
                        Decision.Placed.class,
                        placed -> assertThat(placed.state().worldSize()).isEqualTo(2));
    }

    @Test
    void rankThatTheAssignmentLeavesOutLearnsItAndCountsAsTerminated() throws Exception {
        ranks.forEach(rank -> rank.regroup(0));

        lead(0, 0, world -> ALL.assign(world.lose(IndexSet.of(2))));

        assertThat(ranks.get(2).decision()).isInstanceOf(Decision.Discarded.class);
        assertThat(ranks.get(0).decision()).isInstanceOf(Decision.Placed.class);
        assertThat(store.members("0/terminated")).isEqualTo(IndexSet.of(2));
        assertThat(ranks.get(0).outcomes).isEmpty();
    }

    @Test
    void keysOfTheIterationBeforeTheLastAreRemoved() throws Exception {
        for (int k = 0; k < 2; k++) {
            enter(k);
            ranks.get(0).view.member().enterUserStore(k).set("address", "here");
            interrupt(0, k, "NaN");
        }
        assertThat(store.keys("0/0/")).isNotEmpty();

        enter(2);

        assertThat(store.keys("0/0/")).isEmpty();
        assertThat(store.get("0/1/user/address").text()).isEqualTo("here");
    }

    private RestartStore join(InMemoryStore session, String... groupKeys) {
        Identity identity = enroll(session, 0, 3);
        RestartStore view = new RestartStore(session, identity, List.of(groupKeys));
        assertThat(view.joiner().announce(() -> {}, () -> {}, true)).isCompleted();
        return view;
    }

    private WorldBefore restart(int k) {
        interrupt(0, k - 1, "NaN");
        ranks.forEach(rank -> rank.regroup(k));
        return ranks.get(0).view.leader().worldBefore(k, LIMIT).join();
    }

    @Test
    void thoseWhoWaitAreAtTheEndOfTheWorldBefore() {
        enter(0);
        join(store.newSession());
        join(store.newSession());

        WorldBefore before = restart(1);

        assertThat(before.joiners()).isEqualTo(IndexSet.of(3, 4));
        assertThat(before.world().placements())
                .extracting(Placement::initialRank)
                .containsExactly(0, 1, 2, 3, 4);
        assertThat(before.world().activeMembers()).isEqualTo(IndexSet.range(0, 3));
    }

    @Test
    void joinerIsAdmittedAtItsPosition() throws Exception {
        enter(0);
        RestartStore first = join(store.newSession());
        CompletableFuture<Admitted> admission = first.joiner().awaitAdmission();
        ranks.get(2).session.abandon();
        ranks.subList(0, 2).forEach(rank -> rank.regroup(1));
        lead(0, 1, ALL);
        assertThat(admission).isCompletedWithValue(new Admitted(1, 3));
        RestartStore second = join(store.newSession());
        ranks.subList(0, 2).forEach(rank -> rank.regroup(2));
        interrupt(0, 1, "NaN");
        assertThat(first.member().arrive(2)).isCompleted();

        lead(0, 2, ALL);

        assertThat(second.joiner().awaitAdmission()).isCompletedWithValue(new Admitted(2, 3));
        assertThat(store.members("0/2/members")).isEqualTo(IndexSet.of(0, 1, 3, 4));
        assertThat(store.get("0/latest").text()).isEqualTo("2 0-1,3-4");
        assertThat(ranks.get(1).decision()).isInstanceOfSatisfying(Decision.Placed.class, placed -> {
            assertThat(placed.added()).isEqualTo(IndexSet.of(4));
            assertThat(placed.removed().isEmpty()).isTrue();
        });
    }

    @Test
    void joinerThatTheAssignmentLeavesOutGoesOnWaiting() throws Exception {
        enter(0);
        CompletableFuture<Admitted> admission =
                join(store.newSession()).joiner().awaitAdmission();
        restart(1);

        lead(0, 1, world -> ALL.assign(world.lose(IndexSet.of(3))));

        assertThat(admission).isNotDone();
        assertThat(store.members("0/terminated").isEmpty()).isTrue();
        assertThat(store.members("0/1/members")).isEqualTo(IndexSet.range(0, 3));
        restart(2);
        lead(0, 2, ALL);
        assertThat(admission).isCompletedWithValue(new Admitted(2, 3));
    }

    @Test
    void joinerThatHasDiedIsOfferedToNobody() {
        enter(0);
        InMemoryStore session = store.newSession();
        join(session);
        session.abandon();

        assertThat(restart(1).joiners().isEmpty()).isTrue();
    }

    @Test
    void nothingIsDecidedIfAJoinerDiesMeanwhile() {
        enter(0);
        InMemoryStore session = store.newSession();
        join(session);
        WorldBefore before = restart(1);

        session.abandon();

        assertThat(ranks.get(0).view.leader().decide(1, before, ALL.assign(before.world())))
                .isCompletedWithValue(false);
    }

    @Test
    void worldNowShowsWhoWaitsWhileTheTrainingRuns() {
        enter(0);
        join(store.newSession());

        WorldBefore now = ranks.get(0).view.leader().worldNow(0).join();

        assertThat(now.joiners()).isEqualTo(IndexSet.of(3));
        assertThat(now.world().activeMembers()).isEqualTo(IndexSet.range(0, 3));
        assertThat(ranks.get(1).view.leader().worldNow(0))
                .as("as read by a rank that did not decide")
                .isCompletedWithValue(now);
    }

    @Test
    void leaderIsNotifiedOfWhoComes() {
        enter(0);
        List<Change> changes = new ArrayList<>();
        ranks.get(0).view.leader().watchJoiners(changes::add);

        join(store.newSession());

        assertThat(changes).containsExactly(new Change.Joined("0/joined", IndexSet.of(3)));
    }

    @Test
    void promiseIsOpenUntilItsProcessHasJoined() {
        Promises agent = new Promises(store.newSession(), Generation.FIRST, 3);
        int number = agent.make().join();
        int other = agent.make().join();
        enter(0);
        assertThat(restart(1).promises()).isEqualTo(new Promised(true, IndexSet.of(number, other)));

        InMemoryStore session = store.newSession();
        Identity identity = new Enrollment(session, 2, 3, "", 0, LIMIT, true, OptionalInt.of(number))
                .enroll()
                .join()
                .orElseThrow();
        new RestartStore(session, identity, List.of())
                .joiner()
                .announce(() -> {}, () -> {}, true)
                .join();

        assertThat(identity.rank()).isEqualTo(number);
        WorldBefore before = ranks.get(0).view.leader().worldBefore(1, LIMIT).join();
        assertThat(before.promises()).isEqualTo(new Promised(true, IndexSet.of(other)));
        assertThat(before.joiners()).isEqualTo(IndexSet.of(number));
    }

    @Test
    void promiseOfAnAgentThatDiesIsBroken() {
        InMemoryStore session = store.newSession();
        new Promises(session, Generation.FIRST, 3).make().join();
        enter(0);
        List<Change> changes = new ArrayList<>();
        ranks.get(0).view.leader().watchBrokenPromises(changes::add);

        session.abandon();

        assertThat(changes).containsExactly(new Change.Joined("0/broken", IndexSet.of(3)));
        assertThat(restart(1).promises()).isEqualTo(new Promised(true, IndexSet.empty()));
    }

    @Test
    void keysOfJoinersAreReadWithThem() {
        List<RestartStore> views = ranks.stream()
                .map(rank -> new RestartStore(
                        rank.session, new Identity(rank.rank, 3, Generation.FIRST, ""), List.of("node-" + rank.rank)))
                .toList();
        views.forEach(view -> assertThat(view.member().arrive(0)).isCompleted());
        join(store.newSession(), "node-7");

        WorldBefore before = views.get(0).leader().worldBefore(0, LIMIT).join();

        assertThat(before.world().placements())
                .extracting(Placement::keys)
                .containsExactly(List.of("node-0"), List.of("node-1"), List.of("node-2"), List.of("node-7"));
    }

    @Test
    void endOfTheJobIsToldToMembersAndJoiners() {
        enter(0);
        RestartStore joiner = join(store.newSession());
        WorldBefore before = restart(1);
        Shortage shortage = new Shortage(3, 4, IndexSet.of(0, 1, 2), IndexSet.of(3), LIMIT);

        assertThat(ranks.get(0).view.leader().disband(1, before, shortage)).isCompletedWithValue(true);

        assertThat(ranks).allSatisfy(rank -> assertThat(rank.decision()).isEqualTo(new Decision.TooFewRanks(shortage)));
        Admitted admitted = joiner.joiner().awaitAdmission().join();
        assertThat(joiner.member()
                        .awaitDecision(
                                admitted.iteration(), State.Entry.JOINED, admitted.position(), null, change -> {})
                        .join()
                        .decision())
                .isEqualTo(new Decision.TooFewRanks(shortage));
    }

    @Test
    void firstDecisionOfAGenerationDeletesTheOneBefore() throws Exception {
        enter(0);
        ranks.forEach(rank -> rank.session.abandon());
        InMemoryStore session = store.newSession();
        Identity identity = enroll(session, 0, 3);
        assertThat(identity.generation()).isEqualTo(new Generation(1, 100, 1));
        RestartStore view = new RestartStore(session, identity, List.of());
        for (int rank = 1; rank < 3; rank++) {
            InMemoryStore other = store.newSession();
            assertThat(new RestartStore(other, enroll(other, rank, 3), List.of())
                            .member()
                            .arrive(100))
                    .isCompleted();
        }
        assertThat(view.member().arrive(100)).isCompleted();
        assertThat(store.keys("0/")).isNotEmpty();

        WorldBefore before = view.leader().worldBefore(100, LIMIT).join();
        assertThat(view.leader().decide(100, before, ALL.assign(before.world())))
                .isCompletedWithValue(true);

        assertThat(store.keys("0/")).isEmpty();
        assertThat(store.members("1/100/members")).isEqualTo(IndexSet.range(0, 3));
    }
}
