package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.rank.GroupKey;
import dev.resiliency.inprocess.rank.RankAssignment;
import java.util.ArrayList;
import java.util.List;

/** Computes the keys of a rank assignment for this rank. */
final class GroupKeys {
    private GroupKeys() {}

    @SuppressWarnings("CatchingUnchecked") // user code: whatever it throws is reported in the same way
    static List<String> of(RankAssignment assignment, Environment environment) {
        int rank = environment.rank();
        List<String> keys = new ArrayList<>();
        for (GroupKey key : assignment.keys()) {
            try {
                keys.add(key.of(rank));
            } catch (Exception | Error e) {
                throw new ResiliencyException(
                        "key " + keys.size() + " of the rank assignment could not be computed on rank " + rank + ": "
                                + e.getMessage(),
                        e);
            }
        }
        return keys;
    }
}
