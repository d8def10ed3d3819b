package dev.resiliency.inprocess.rank;

import dev.resiliency.inprocess.internal.protocol.RoleChange;
import dev.resiliency.store.IndexSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The invariants between a world and the result of an assignment. */
record Invariants(String name, RankAssignment assignment, World before, World after) {

    void check() {
        require(isNumbered(after.placements().stream().mapToInt(Placement::rank)), "ranks have no gaps");
        require(
                isNumbered(after.placements().stream()
                        .filter(Placement::isActive)
                        .mapToInt(Placement::activeRank)
                        .sorted()),
                "active ranks have no gaps");
        IndexSet staying = after.members();
        IndexSet leaving = members(after.leaving());
        require(
                staying.size() == after.size()
                        && leaving.size() == after.leaving().size(),
                "no rank occurs twice");
        require(
                !staying.intersects(leaving) && staying.union(leaving).equals(before.members()),
                "no rank is forgotten");
        require(before.healthyMembers().containsAll(staying), "who is lost stays lost");
        require(
                after.equals(assignment.assign(new World(before.placements()))),
                "the same input gives the same result");
        require(
                RoleChange.between(before, after).stream()
                        .noneMatch(each -> each.reason().isEmpty()),
                "changes have reasons");
        if (assignment instanceof Tree tree) {
            check(tree);
        } else if (assignment instanceof Composition composition) {
            check(composition.steps());
        }
    }

    private void check(Tree tree) {
        require(before.isNew() || isInOrder(), "survivors keep their order");
        for (int depth = 0; depth < tree.layers().size(); depth++) {
            Layer layer = tree.layers().get(depth);
            require(
                    allGroups(depth + 1, each -> true, count -> count >= layer.minRanks()),
                    "groups have at least minRanks");
            // Afterwards, a reserve that steps in for another group may bring its own above the limit.
            boolean first = before.isNew() && after.leaving().isEmpty();
            require(
                    !first || allGroups(depth + 1, Placement::isActive, count -> count <= layer.maxRanks()),
                    "groups have at most maxRanks at first");
        }
        int active = after.activeSize();
        require(tree.worldSizeFilter().applyAsInt(active) == active, "the world size filter accepts the active ranks");
    }

    private void check(List<RankAssignment> steps) {
        RankAssignment last = steps.get(steps.size() - 1);
        int active = after.activeSize();
        require(!(last instanceof ActivateAllRanks) || active == after.size(), "all are active");
        require(
                !(last instanceof MaxActiveWorldSize max) || active <= max.maxActiveWorldSize(),
                "not too many are active");
        require(
                !(last instanceof ActiveWorldSizeDivisibleBy by) || active % by.divisor() == 0,
                "the active world size can be divided");
        require(!steps.contains(RankAssignment.shiftRanks()) || isInOrder(), "survivors keep their order");
        require(!steps.contains(RankAssignment.fillGaps()) || isPreserved(), "the first ones keep their ranks");
        require(
                after.placements().stream()
                        .filter(Placement::isActive)
                        .allMatch(each -> each.activeRank() == each.rank()),
                "the first ones are active");
        if (steps.get(0) instanceof FilterCountGroupedByKey filter
                && !(steps.get(1) instanceof FilterCountGroupedByKey)) {
            require(allGroups(1, each -> true, filter.condition()::test), "groups fulfil the condition");
        }
    }

    private static boolean isNumbered(IntStream numbers) {
        int[] given = numbers.toArray();
        return IntStream.range(0, given.length).allMatch(i -> given[i] == i);
    }

    private static IndexSet members(List<Placement> placements) {
        return IndexSet.of(placements.stream().mapToInt(Placement::initialRank).toArray());
    }

    /** Returns whether the remaining ranks keep their order. */
    private boolean isInOrder() {
        List<Integer> now =
                after.placements().stream().map(Placement::initialRank).toList();
        IndexSet staying = after.members();
        return before.placements().stream()
                .map(Placement::initialRank)
                .filter(staying::contains)
                .toList()
                .equals(now);
    }

    private boolean isPreserved() {
        Map<Integer, Integer> ranks = new HashMap<>();
        after.placements().forEach(each -> ranks.put(each.initialRank(), each.rank()));
        return before.placements().stream()
                .filter(each -> each.rank() < after.size() && ranks.containsKey(each.initialRank()))
                .allMatch(each -> Integer.valueOf(each.rank()).equals(ranks.get(each.initialRank())));
    }

    /** Returns whether the number of counted members is right in all groups that the first {@code keys} keys form. */
    private boolean allGroups(int keys, Predicate<Placement> counted, Predicate<Integer> isRight) {
        Map<List<String>, Integer> counts = new HashMap<>();
        for (Placement placement : after.placements()) {
            counts.merge(placement.keys().subList(0, keys), counted.test(placement) ? 1 : 0, Integer::sum);
        }
        return counts.values().stream().allMatch(isRight);
    }

    private void require(boolean holds, String invariant) {
        if (!holds) {
            throw new AssertionError(name + ": " + invariant + ", but " + assignment + " made of\n"
                    + WorldPicture.full(before) + "\nthis:\n" + WorldPicture.full(after));
        }
    }
}
