package dev.resiliency.examples.bench.scale;

import dev.resiliency.inprocess.rank.GroupKey;
import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.Tree;
import java.util.List;

/**
 * The job that is simulated: racks of hosts of 8 ranks, of which 7 are active.
 *
 * @param ranks how many there are
 */
record ScaleJob(int ranks) {
    private static final int RANKS_PER_HOST = 8;
    private static final int RANKS_PER_RACK = 128;
    private static final int ACTIVE_PER_HOST = 7;

    /** How its ranks are assigned. */
    Tree assignment() {
        return new Tree(
                Layer.root(),
                Layer.by(GroupKey.initialRankDividedBy(RANKS_PER_RACK)),
                Layer.by(GroupKey.initialRankDividedBy(RANKS_PER_HOST))
                        .minRanks(2)
                        .maxRanks(ACTIVE_PER_HOST));
    }

    /** What a rank tells the leader of where it is. */
    List<String> keysOf(int rank) {
        return List.of("root", "" + rank / RANKS_PER_RACK, "" + rank / RANKS_PER_HOST);
    }

    /** The rank that fails: one in the middle, which does not lead. */
    int victim() {
        return ranks / 2;
    }
}
