package dev.resiliency.inprocess.rank;

import java.util.List;

/**
 * Decides who takes part in the next iteration, and as what: a pure function from the previous world, in which the lost
 * ranks are marked, to the next one. Only one rank computes it, for all. The guide's {@code RankAssignment}.
 *
 * <p>The result must hold healthy ranks only; ranks are numbered from 0 without gaps, and so are the active ones. A
 * healthy rank that it leaves out leaves the job with {@link dev.resiliency.inprocess.RankDiscardedException}.
 *
 * <p>{@link Tree} does everything at once. The others are parts, for {@link #compose}.
 */
@FunctionalInterface
public interface RankAssignment {

    /** The next world. Must not keep state, and must not depend on anything but {@code world}. */
    World assign(World world);

    /** What each rank is to tell of itself when it joins: {@link World#key} has the values. Default: nothing. */
    default List<GroupKey> keys() {
        return List.of();
    }

    /**
     * One after the other, in mathematical order: <b>the last one listed runs first</b>. The guide's {@code Compose}.
     *
     * @throws IllegalArgumentException if these cannot work together; says why
     */
    static RankAssignment compose(RankAssignment... assignments) {
        return Composition.of(List.of(assignments));
    }
}
