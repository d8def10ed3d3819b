package dev.resiliency.inprocess.rank;

import dev.resiliency.store.IndexSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Worlds for tests. */
public final class Worlds {
    private Worlds() {}

    /** Returns the initial world for this assignment, with the keys of each rank. */
    public static World initial(RankAssignment assignment, int worldSize) throws Exception {
        List<List<String>> keys = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            keys.add(keys(assignment, rank));
        }
        return World.initial(keys);
    }

    /** Returns the keys of a process for this assignment. */
    static List<String> keys(RankAssignment assignment, int launcherRank) throws Exception {
        List<String> keys = new ArrayList<>();
        for (GroupKey key : assignment.keys()) {
            keys.add(key.of(launcherRank));
        }
        return keys;
    }

    /**
     * Returns the world that one more process joins.
     *
     * @param launcherRank the rank that its launcher gave it, of which its keys are computed
     */
    public static World join(World world, RankAssignment assignment, int initialRank, int launcherRank)
            throws Exception {
        return world.join(initialRank, keys(assignment, launcherRank));
    }

    /** Returns the world in which the ranks at these positions are lost. */
    public static World loseRanks(World world, int... ranks) {
        return world.lose(IndexSet.of(IntStream.of(ranks)
                .map(rank -> world.placements().get(rank).initialRank())
                .toArray()));
    }
}
