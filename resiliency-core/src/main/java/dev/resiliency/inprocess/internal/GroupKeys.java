package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Mode;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.rank.GroupKey;
import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.RankAssignment;
import java.util.ArrayList;
import java.util.List;

/** Computes the keys of a rank assignment for this rank. */
final class GroupKeys {
    private GroupKeys() {}

    @SuppressWarnings("CatchingUnchecked") // user code: whatever it throws is reported alike
    static List<String> of(RankAssignment assignment, Environment environment) {
        int rank = environment.rank();
        int worldSize = environment.worldSize();
        State joining = new State(rank, worldSize, rank, worldSize, Mode.INACTIVE, Placement.NONE, 0, 0);
        List<String> keys = new ArrayList<>();
        for (GroupKey key : assignment.keys()) {
            try {
                keys.add(key.of(joining));
            } catch (Exception | Error e) {
                throw new ResiliencyException(
                        "key " + keys.size() + " of the rank assignment could not be computed on initial rank " + rank
                                + ": " + e.getMessage(),
                        e);
            }
        }
        return keys;
    }
}
