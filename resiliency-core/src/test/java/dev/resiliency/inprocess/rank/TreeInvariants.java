package dev.resiliency.inprocess.rank;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The invariants between a world and the result of a {@link Tree}. */
final class TreeInvariants {
    private TreeInvariants() {}

    static void check(Restart restart, Tree tree) {
        World after = restart.after();
        int active = after.activeSize();
        restart.require(
                tree.worldSizeFilter().applyAsInt(active) == active, "the world size filter accepts the active ranks");
        for (int depth = 0; depth < tree.layers().size(); depth++) {
            Layer layer = tree.layers().get(depth);
            restart.require(
                    restart.allGroups(depth + 1, each -> true, count -> count >= layer.minRanks()),
                    "groups have at least minRanks");
            // A reserve that steps in for another group may bring its own above the limit.
            boolean mayExceed = hasSome(tree, Layer.Flag.RESERVE)
                    && !(restart.isFirst() && after.leaving().isEmpty());
            restart.require(
                    mayExceed || restart.allGroups(depth + 1, Placement::isActive, count -> count <= layer.maxRanks()),
                    "groups have at most maxRanks active ranks");
        }
        restart.leftOut().forEach(left -> checkLeftOut(restart, tree, left));
        if (!restart.isFirst()) {
            restart.require(
                    restart.isInOrder(restart.survivors().stream(), Placement::rank), "survivors keep their order");
            checkActiveRanks(restart, tree);
            checkReserves(restart, tree);
        }
    }

    private static void checkLeftOut(Restart restart, Tree tree, Placement left) {
        boolean isGroupGone = false;
        for (int depth = 1; depth <= tree.layers().size(); depth++) {
            isGroupGone |=
                    !restart.counts(depth, each -> true).containsKey(left.keys().subList(0, depth));
        }
        restart.require(isGroupGone, "groups are left out whole");
        restart.require(left.reason().startsWith("group "), "the reason names the group");
    }

    private static void checkActiveRanks(Restart restart, Tree tree) {
        List<Placement> active = restart.activeSurvivors();
        if (has(tree, Layer.Flag.RESERVE) && restart.gaps() <= substitutes(restart)) {
            restart.require(
                    active.stream().allMatch(restart::keepsItsPlace), "nobody moves if there are enough substitutes");
        }
        if (!hasSome(tree, Layer.Flag.BACKFILL)) {
            restart.require(
                    active.stream().allMatch(each -> restart.now(each).activeRank() <= each.activeRank()),
                    "without backfill, no active rank gets a higher number");
            restart.require(
                    restart.isInOrder(
                            active.stream()
                                    .filter(each -> restart.now(each).isActive())
                                    .sorted(Comparator.comparingInt(Placement::activeRank)),
                            Placement::activeRank),
                    "without backfill, active ranks keep their order");
        }
    }

    private static int substitutes(Restart restart) {
        return restart.after().size() - restart.activeSurvivors().size();
    }

    /** Checks who waits although others join. */
    private static void checkReserves(Restart restart, Tree tree) {
        boolean joined = restart.joiners().stream().anyMatch(restart::stays);
        int active = restart.after().activeSize();
        boolean isReduced = restart.isLimited() || tree.worldSizeFilter().applyAsInt(active + 1) != active + 1;
        if (!joined || isReduced) {
            return;
        }
        restart.stayed().filter(each -> !restart.now(each).isActive()).forEach(reserve -> {
            restart.require(isFull(restart, tree, reserve), "who waits is in a group with enough active ranks");
            restart.require(
                    reserve.isJoining()
                            || activeJoiners(restart)
                                    .noneMatch(each -> each.keys().equals(reserve.keys())),
                    "reserves go before those that join");
        });
    }

    private static Stream<Placement> activeJoiners(Restart restart) {
        return restart.joiners().stream()
                .filter(restart::stays)
                .filter(each -> restart.now(each).isActive());
    }

    private static boolean isFull(Restart restart, Tree tree, Placement reserve) {
        for (int depth = 1; depth <= tree.layers().size(); depth++) {
            Map<List<String>, Integer> active = restart.counts(depth, Placement::isActive);
            if (active.getOrDefault(reserve.keys().subList(0, depth), 0)
                    >= tree.layers().get(depth - 1).maxRanks()) {
                return true;
            }
        }
        return false;
    }

    private static boolean has(Tree tree, Layer.Flag flag) {
        return tree.layers().stream().allMatch(layer -> layer.flags().contains(flag));
    }

    private static boolean hasSome(Tree tree, Layer.Flag flag) {
        return tree.layers().stream().anyMatch(layer -> layer.flags().contains(flag));
    }
}
