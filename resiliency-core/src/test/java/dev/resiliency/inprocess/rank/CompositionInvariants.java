package dev.resiliency.inprocess.rank;

import java.util.List;

/** The invariants between a world and the result of a composition. */
final class CompositionInvariants {
    private CompositionInvariants() {}

    static void check(Restart restart, List<RankAssignment> steps) {
        World after = restart.after();
        restart.require(after.activeSize() == activeSize(restart, steps), "as many are active as may be");
        restart.require(
                after.placements().stream()
                        .filter(Placement::isActive)
                        .allMatch(each -> each.activeRank() == each.rank()),
                "the first ones are active");
        restart.require(
                !steps.contains(RankAssignment.shiftRanks()) || restart.isInOrder(restart.stayed(), Placement::rank),
                "those that stay keep their order, and those that join come last");
        restart.require(
                !steps.contains(RankAssignment.fillGaps())
                        || restart.stayed()
                                .filter(each -> each.rank() < after.size())
                                .allMatch(each -> restart.now(each).rank() == each.rank()),
                "the first ones keep their ranks");
        List<FilterCountGroupedByKey> filters = filters(steps);
        if (filters.isEmpty()) {
            restart.require(restart.leftOut().isEmpty(), "nobody is left out");
        } else if (filters.size() == 1) {
            checkFilter(restart, filters.get(0));
        }
    }

    static List<FilterCountGroupedByKey> filters(List<RankAssignment> steps) {
        return steps.stream()
                .filter(FilterCountGroupedByKey.class::isInstance)
                .map(FilterCountGroupedByKey.class::cast)
                .toList();
    }

    /** Returns the number of active ranks that the steps promise. */
    private static int activeSize(Restart restart, List<RankAssignment> steps) {
        int size = Math.min(restart.after().size(), restart.maxRanks());
        for (RankAssignment step : steps) {
            if (step instanceof MaxActiveWorldSize max) {
                size = Math.min(size, max.maxActiveWorldSize());
            } else if (step instanceof ActiveWorldSizeDivisibleBy by) {
                size -= size % by.divisor();
            }
        }
        return size;
    }

    private static void checkFilter(Restart restart, FilterCountGroupedByKey filter) {
        restart.require(restart.allGroups(1, each -> true, filter.condition()), "groups fulfil the condition");
        for (Placement left : restart.leftOut()) {
            int staying = restart.counts(1, each -> true).getOrDefault(left.keys(), 0);
            int healthy = (int) restart.before().placements().stream()
                    .filter(each -> each.healthy() && each.keys().equals(left.keys()))
                    .count();
            restart.require(
                    !filter.condition().test(healthy), "who is left out would be too many, or too few, in its group");
            restart.require(staying == 0 || left.isJoining(), "groups are left out whole, but for those that join");
            restart.require(
                    left.reason().contains("has a count of " + healthy), "the reason names the count that is wrong");
        }
    }
}
