package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.protocol.Leader.WorldBefore;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
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
    void firstDecisionStandsForAllIfTwoRanksActAsLeader() throws Exception {
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
                .containsExactly("-1/records", "initial", "job", "ranks/0", "ranks/1", "ranks/2", "run", "terminated");
        assertThat(store.members("terminated")).isEqualTo(IndexSet.of(2));

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
        assertThat(store.members("terminated")).isEqualTo(IndexSet.of(2));
        assertThat(ranks.get(0).outcomes).isEmpty();
    }

    @Test
    void keysOfTheIterationBeforeTheLastAreRemoved() throws Exception {
        for (int k = 0; k < 2; k++) {
            enter(k);
            ranks.get(0).view.member().enterUserStore(k).set("address", "here");
            interrupt(0, k, "NaN");
        }
        assertThat(store.keys("0/")).isNotEmpty();

        enter(2);

        assertThat(store.keys("0/")).isEmpty();
        assertThat(store.get("1/user/address").text()).isEqualTo("here");
    }
}
