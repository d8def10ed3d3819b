package dev.resiliency.inprocess.rank;

import java.util.List;

/**
 * Decides who takes part in the next iteration, and as what: a pure function from the previous world, in which the lost
 * ranks are marked, to the next one. Only one rank computes it, for all. The guide's {@code RankAssignment}.
 *
 * <p>The result of the whole composition must hold healthy ranks only, numbered from 0 without gaps. A healthy rank that
 * it leaves out leaves the job with {@link dev.resiliency.inprocess.RankDiscardedException}.
 */
@FunctionalInterface
public interface RankAssignment {

    /** The next world. Must not keep state, and must not depend on anything but {@code world}. */
    World assign(World world);

    /** One after the other, in mathematical order: the last one listed runs first. */
    static RankAssignment compose(RankAssignment... assignments) {
        List<RankAssignment> steps = List.of(assignments);
        return world -> {
            World next = world;
            for (int i = steps.size() - 1; i >= 0; i--) {
                next = steps.get(i).assign(next);
            }
            return next;
        };
    }
}
