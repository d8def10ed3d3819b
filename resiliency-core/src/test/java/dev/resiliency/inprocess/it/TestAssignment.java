package dev.resiliency.inprocess.it;

import dev.resiliency.inprocess.rank.ActivateAllRanks;
import dev.resiliency.inprocess.rank.ActiveWorldSizeDivisibleBy;
import dev.resiliency.inprocess.rank.FilterCountGroupedByKey;
import dev.resiliency.inprocess.rank.GroupKey;
import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.LayerFlag;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.ShiftRanks;
import dev.resiliency.inprocess.rank.Tree;
import dev.resiliency.inprocess.rank.World;

/** The rank assignments that a {@link RankProgram} can be told to use. */
enum TestAssignment {
    /** All active. */
    ALL,
    /** Four active, the others are spares. */
    SPARES,
    /** Two ranks make a host, which is dropped with the first of them. */
    HOSTS_OF_TWO,
    /** An even number is active. */
    EVEN,
    /** Initial rank 0 dies when it computes the assignment after the first fault. */
    DEADLY_FOR_RANK_ZERO;

    RankAssignment get() {
        return switch (this) {
            case ALL -> RankAssignment.compose(new ActivateAllRanks(), new ShiftRanks());
            case SPARES -> new Tree(Layer.root().maxRanks(4).flags(LayerFlag.RESERVE));
            case HOSTS_OF_TWO ->
                RankAssignment.compose(
                        new ActivateAllRanks(),
                        new ShiftRanks(),
                        new FilterCountGroupedByKey(GroupKey.initialRankDividedBy(2), count -> count == 2));
            case EVEN -> RankAssignment.compose(new ActiveWorldSizeDivisibleBy(2), new ShiftRanks());
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
