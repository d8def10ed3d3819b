package dev.resiliency.inprocess.rank;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Counts the healthy ranks of each group, and marks all ranks of a group whose count does not meet the condition: a
 * host that has lost one GPU is dropped whole. The ranks are dropped by a {@link ShiftRanks} or {@link FillGaps} that
 * runs later. Corresponds to nvidia-resiliency-ext's {@code FilterCountGroupedByKey}.
 *
 * <pre>
 *  count == 2
 *
 *  | 0   X | 2   3 | X   X | 6   7 |   →   | X   X | 2   3 | X   X | 6   7 |
 *  | key 0 | key 1 | key 2 | key 3 |
 * </pre>
 *
 * @param key the group of a rank
 * @param condition whether a group with this many healthy ranks stays
 */
record FilterCountGroupedByKey(GroupKey key, IntPredicate condition) implements RankAssignment {
    @Override
    public List<GroupKey> keys() {
        return List.of(key);
    }

    @Override
    public World assign(World world) {
        Map<String, Integer> counts = new HashMap<>();
        for (Placement placement : world.placements()) {
            if (placement.healthy()) {
                counts.merge(world.key(placement, 0), 1, Integer::sum);
            }
        }
        Map<String, String> refusals = new HashMap<>();
        counts.forEach((group, count) -> {
            if (!condition.test(count)) {
                refusals.put(
                        group,
                        "group " + group + " has a count of " + count
                                + ", which the condition of filterCountGroupedByKey rejects");
            }
        });
        List<Placement> marked = new ArrayList<>(world.size());
        for (Placement placement : world.placements()) {
            String refusal = placement.healthy() ? refusals.get(world.key(placement, 0)) : null;
            marked.add(refusal == null ? placement : placement.unhealthy(refusal));
        }
        return world.with(marked);
    }
}
