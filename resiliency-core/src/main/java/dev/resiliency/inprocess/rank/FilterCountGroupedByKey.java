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
 * <p>Of the ranks that join, the first ones count, as many as the condition accepts; the others are marked, so that
 * none makes the condition reject a group that meets it.
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
        Map<String, Count> counts = new HashMap<>();
        for (Placement placement : world.placements()) {
            if (placement.healthy()) {
                counts.computeIfAbsent(world.key(placement, 0), Count::new).add(placement.isJoining());
            }
        }
        counts.values().forEach(count -> count.decide(condition));
        List<Placement> marked = new ArrayList<>(world.size());
        for (Placement placement : world.placements()) {
            Count count = placement.healthy() ? counts.get(world.key(placement, 0)) : null;
            marked.add(
                    count == null || count.accepts(placement.isJoining())
                            ? placement
                            : placement.unhealthy(count.refusal()));
        }
        return world.with(marked);
    }

    /** The healthy ranks of a group, and how many of them stay. */
    private static final class Count {
        private final String group;
        private int members;
        private int joiners;
        private boolean isAccepted;
        /** How many more joiners are accepted. */
        private int acceptable;

        Count(String group) {
            this.group = group;
        }

        void add(boolean joins) {
            if (joins) {
                joiners++;
            } else {
                members++;
            }
        }

        /** Finds the largest number of joiners with which the condition accepts the group. */
        void decide(IntPredicate condition) {
            acceptable = joiners;
            while (acceptable > 0 && !condition.test(members + acceptable)) {
                acceptable--;
            }
            isAccepted = acceptable > 0 || (members > 0 && condition.test(members));
        }

        /** Returns whether the next rank of the group stays. */
        boolean accepts(boolean joins) {
            return joins ? acceptable-- > 0 : isAccepted;
        }

        String refusal() {
            return "group " + group + " has a count of " + (members + joiners)
                    + ", which the condition of filterCountGroupedByKey rejects";
        }
    }
}
