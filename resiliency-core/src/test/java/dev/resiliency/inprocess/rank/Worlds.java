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
            List<String> keysOfRank = new ArrayList<>();
            for (GroupKey key : assignment.keys()) {
                keysOfRank.add(key.of(rank));
            }
            keys.add(keysOfRank);
        }
        return World.initial(keys);
    }

    /** Returns the world in which the ranks at these positions are lost. */
    public static World loseRanks(World world, int... ranks) {
        return world.lose(IndexSet.of(IntStream.of(ranks)
                .map(rank -> world.placements().get(rank).initialRank())
                .toArray()));
    }
}
