package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.World;
import java.util.List;
import java.util.function.Predicate;

/**
 * The rank assignment of the job: the user's, with at most as many active ranks as the job may have.
 *
 * @param byUser the user's assignment
 * @param maxActive the limit; whoever is more is a reserve
 */
record Assignment(RankAssignment byUser, int maxActive) {

    /**
     * Assigns the ranks of iteration {@code k}.
     *
     * @throws ResiliencyException if the assignment fails or breaks a rule
     */
    World assign(int k, World before) {
        try {
            return byUser.limitedTo(maxActive).assign(withoutStrangers(before)).checked();
        } catch (RuntimeException | Error e) {
            throw new ResiliencyException("the rank assignment failed for iteration " + k + ": " + e.getMessage(), e);
        }
    }

    /** Leaves out those that join with a program whose assignment groups ranks in another way: they wait. */
    private World withoutStrangers(World before) {
        int keys = byUser.keys().size();
        Predicate<Placement> isStranger =
                each -> each.isJoining() && each.keys().size() != keys;
        if (before.placements().stream().noneMatch(isStranger)) {
            return before;
        }
        List<Placement> marked = before.placements().stream()
                .map(each -> isStranger.test(each)
                        ? each.unhealthy("its program groups ranks by "
                                + each.keys().size() + " keys, and that of the job by " + keys)
                        : each)
                .toList();
        return before.with(marked)
                .with(marked.stream().filter(isStranger.negate()).toList());
    }
}
