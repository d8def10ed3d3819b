package dev.resiliency.testing.it;

import dev.resiliency.inprocess.rank.GroupKey;
import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.Tree;
import dev.resiliency.inprocess.rank.World;

/** The rank assignments that a {@link RankProgram} can use. */
enum TestAssignment {
    /** All ranks are active. */
    ALL,
    /** Four ranks are active, the others are reserves. */
    RESERVES,
    /** A host has two ranks, and is dropped when it loses one. */
    HOSTS_OF_TWO,
    /** An even number of ranks is active. */
    EVEN,
    /** Initial rank 0 dies when it computes the assignment after the first fault. */
    DEADLY_FOR_RANK_ZERO;

    RankAssignment get() {
        return switch (this) {
            case ALL -> RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());
            case RESERVES -> new Tree(Layer.root().maxRanks(4).flags(Layer.Flag.RESERVE));
            case HOSTS_OF_TWO ->
                RankAssignment.compose(
                        RankAssignment.activateAllRanks(),
                        RankAssignment.shiftRanks(),
                        RankAssignment.filterCountGroupedByKey(GroupKey.initialRankDividedBy(2), count -> count == 2));
            case EVEN ->
                RankAssignment.compose(RankAssignment.activeWorldSizeDivisibleBy(2), RankAssignment.shiftRanks());
            case DEADLY_FOR_RANK_ZERO -> TestAssignment::haltOnRankZero;
        };
    }

    private static World haltOnRankZero(World world) {
        if (!world.isNew() && System.getenv("RANK").equals("0")) {
            Runtime.getRuntime().halt(9);
        }
        return ALL.get().assign(world);
    }
}
