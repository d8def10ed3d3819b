package dev.resiliency.examples.bench.scale;

import dev.resiliency.inprocess.rank.GroupKey;
import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.Tree;
import java.util.List;

/**
 * The simulated job: racks of hosts of 8 ranks, of which 7 are active.
 *
 * @param ranks number of ranks
 * @param id its id
 */
record ScaleJob(int ranks, String id) {
    private static final int RANKS_PER_HOST = 8;
    private static final int RANKS_PER_RACK = 128;
    private static final int ACTIVE_PER_HOST = 7;

    /** Returns the prefix of all its keys, as the wrapper uses it for its first call. */
    String prefix() {
        return "jobs/" + id + "/call-0";
    }

    /** Returns its rank assignment. */
    Tree assignment() {
        return new Tree(
                Layer.root(),
                Layer.by(GroupKey.initialRankDividedBy(RANKS_PER_RACK)),
                Layer.by(GroupKey.initialRankDividedBy(RANKS_PER_HOST))
                        .minRanks(2)
                        .maxRanks(ACTIVE_PER_HOST));
    }

    /** Returns the location that a rank reports to the leader. */
    List<String> keysOf(int rank) {
        return List.of("root", "" + rank / RANKS_PER_RACK, "" + rank / RANKS_PER_HOST);
    }

    /** Returns the rank that fails: one in the middle, not the leader. */
    int victim() {
        return ranks / 2;
    }
}
