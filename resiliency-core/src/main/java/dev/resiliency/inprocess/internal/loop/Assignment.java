package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.World;
import java.util.List;

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

    /** Returns why processes that wait are left out, with their initial ranks; empty if none is. */
    List<String> refusals(World before) {
        return before.placements().stream()
                .filter(this::isStranger)
                .map(each -> "rank " + each.initialRank() + " is left out, as " + difference(each))
                .toList();
    }

    /** Leaves out those that join with a program whose assignment groups ranks in another way: they wait. */
    private World withoutStrangers(World before) {
        if (before.placements().stream().noneMatch(this::isStranger)) {
            return before;
        }
        List<Placement> marked = before.placements().stream()
                .map(each -> isStranger(each) ? each.unhealthy(difference(each)) : each)
                .toList();
        return before.with(marked)
                .with(marked.stream().filter(each -> !isStranger(each)).toList());
    }

    private boolean isStranger(Placement each) {
        return each.isJoining() && each.keys().size() != byUser.keys().size();
    }

    private String difference(Placement stranger) {
        return "its program groups ranks by " + stranger.keys().size() + " keys, and that of the job by "
                + byUser.keys().size();
    }
}
