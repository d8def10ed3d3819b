package dev.resiliency.inprocess.rank;

import dev.resiliency.inprocess.internal.protocol.RoleChange;
import dev.resiliency.store.IndexSet;
import java.util.List;
import java.util.stream.IntStream;

/** The invariants between a world and the result of any assignment. */
final class Invariants {
    private Invariants() {}

    static void check(Restart restart) {
        World before = restart.before();
        World after = restart.after();
        restart.require(isNumbered(after.placements().stream().mapToInt(Placement::rank)), "ranks have no gaps");
        restart.require(
                isNumbered(after.placements().stream()
                        .filter(Placement::isActive)
                        .mapToInt(Placement::activeRank)
                        .sorted()),
                "active ranks have no gaps");
        IndexSet staying = after.members();
        IndexSet leaving = members(after.leaving());
        restart.require(
                staying.size() == after.size()
                        && leaving.size() == after.leaving().size(),
                "no rank occurs twice");
        restart.require(
                !staying.intersects(leaving) && staying.union(leaving).equals(before.members()),
                "no rank is forgotten");
        restart.require(before.healthyMembers().containsAll(staying), "who is lost stays lost");
        restart.require(after.placements().stream().noneMatch(Placement::isNew), "all have a role");
        restart.require(after.activeSize() <= restart.maxRanks(), "not too many are active");
        restart.require(
                RoleChange.between(before, after).stream()
                        .noneMatch(each -> each.reason().isEmpty()),
                "changes have reasons");
        restart.require(
                after.equals(restart.assign(new World(before.placements()))), "the same input gives the same result");
        checkGrowth(restart);
        if (restart.assignment() instanceof Tree tree) {
            TreeInvariants.check(restart, tree);
        } else if (restart.assignment() instanceof Composition composition) {
            CompositionInvariants.check(restart, composition.steps());
        }
    }

    private static void checkGrowth(Restart restart) {
        IndexSet joining = members(restart.joiners());
        World smaller = restart.assign(new World(restart.before().placements().stream()
                .filter(each -> !joining.contains(each.initialRank()))
                .toList()));
        restart.require(
                restart.after().members().containsAll(smaller.members()), "nobody leaves because another rank joins");
        restart.require(
                restart.after().activeSize() >= smaller.activeSize(),
                "no fewer ranks are active because another rank joins");
        if (restart.gaps() == 0) {
            restart.require(
                    restart.activeSurvivors().stream()
                            .allMatch(each -> restart.now(each).activeRank() == each.activeRank()),
                    "nobody moves if no active rank is gone");
        }
    }

    /** Checks a restart in which a rank with the same keys joins for each that is lost. */
    static void checkReplaced(Restart restart) {
        if (restart.assignment() instanceof Composition composition
                && CompositionInvariants.filters(composition.steps()).size() > 1) {
            return; // a filter may drop ranks that an earlier one had counted, which the earlier one finds only now
        }
        restart.require(restart.leftOut().isEmpty(), "nobody is left out if each lost rank is replaced");
        restart.require(
                restart.after().size() == restart.before().healthyMembers().size(),
                "the world returns to its size if each lost rank is replaced");
        restart.require(
                restart.after().activeSize() >= restart.before().activeSize(),
                "as many are active as before if each lost rank is replaced");
    }

    private static boolean isNumbered(IntStream numbers) {
        int[] given = numbers.toArray();
        return IntStream.range(0, given.length).allMatch(i -> given[i] == i);
    }

    private static IndexSet members(List<Placement> placements) {
        return IndexSet.of(placements.stream().mapToInt(Placement::initialRank).toArray());
    }
}
