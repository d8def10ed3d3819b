package dev.resiliency.inprocess.rank;

import dev.resiliency.store.IndexSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The world before and after one assignment, and what the invariants ask about them. */
final class Restart {
    private final String name;
    private final RankAssignment assignment;
    private final int maxRanks;
    private final World before;
    private final World after;
    private final boolean isFirst;
    private final Map<Integer, Placement> now = new HashMap<>();

    /**
     * Computes the assignment.
     *
     * @param name names it if an invariant does not hold
     * @param assignment the one that the user chose
     * @param maxRanks the limit of active ranks that the job adds to it; {@link Integer#MAX_VALUE} for none
     */
    Restart(String name, RankAssignment assignment, int maxRanks, World before) {
        this.name = name;
        this.assignment = assignment;
        this.maxRanks = maxRanks;
        this.before = before;
        this.after = assign(before);
        this.isFirst = before.isNew();
        after.placements().forEach(each -> now.put(each.initialRank(), each));
    }

    RankAssignment assignment() {
        return assignment;
    }

    int maxRanks() {
        return maxRanks;
    }

    World before() {
        return before;
    }

    World after() {
        return after;
    }

    /** Computes the result for another world. */
    World assign(World world) {
        return (isLimited() ? assignment.limitedTo(maxRanks) : assignment).assign(world);
    }

    boolean isLimited() {
        return maxRanks != Integer.MAX_VALUE;
    }

    boolean isFirst() {
        return isFirst;
    }

    /** Returns those that join in this restart, whatever becomes of them. */
    List<Placement> joiners() {
        return before.placements().stream().filter(Placement::isJoining).toList();
    }

    /** Returns those that were in the world and stay, as they were. */
    List<Placement> survivors() {
        return stayed().filter(each -> !each.isJoining()).toList();
    }

    /** Returns those that stay, new ones as well, as they were. */
    Stream<Placement> stayed() {
        return before.placements().stream().filter(this::stays);
    }

    boolean stays(Placement was) {
        return now.containsKey(was.initialRank());
    }

    List<Placement> activeSurvivors() {
        return survivors().stream().filter(Placement::isActive).toList();
    }

    /** Returns those that could stay and do not, as the assignment left them. */
    List<Placement> leftOut() {
        IndexSet healthy = before.healthyMembers();
        return after.leaving().stream()
                .filter(each -> healthy.contains(each.initialRank()))
                .toList();
    }

    /** Returns how many active ranks are lost or left out. */
    int gaps() {
        return before.activeSize() - activeSurvivors().size();
    }

    /** Returns what became of a rank that stays. */
    Placement now(Placement was) {
        return Objects.requireNonNull(now.get(was.initialRank()));
    }

    /** Returns whether this active rank still has its number, or has none as fewer can be active. */
    boolean keepsItsPlace(Placement was) {
        int active = now(was).activeRank();
        return active == was.activeRank() || (active == Placement.NONE && was.activeRank() >= after.activeSize());
    }

    /** Returns whether those that stay are in the same order, by some number. */
    boolean isInOrder(Stream<Placement> stayed, Function<Placement, Integer> number) {
        List<Integer> numbers = stayed.map(this::now).map(number).toList();
        return numbers.equals(numbers.stream().sorted().toList());
    }

    /** Returns whether the number of counted ranks is right in all groups that the first {@code keys} keys form. */
    boolean allGroups(int keys, Predicate<Placement> counted, IntPredicate isRight) {
        return counts(keys, counted).values().stream().allMatch(isRight::test);
    }

    /** Returns the number of counted ranks that stay by group: the first {@code keys} keys. */
    Map<List<String>, Integer> counts(int keys, Predicate<Placement> counted) {
        Map<List<String>, Integer> counts = new HashMap<>();
        for (Placement placement : after.placements()) {
            counts.merge(placement.keys().subList(0, keys), counted.test(placement) ? 1 : 0, Integer::sum);
        }
        return counts;
    }

    void require(boolean holds, String invariant) {
        if (!holds) {
            throw new AssertionError(name + ": " + invariant + ", but " + assignment
                    + (isLimited() ? " limited to " + maxRanks : "") + " made of\n" + WorldPicture.full(before)
                    + "\nthis:\n" + WorldPicture.full(after));
        }
    }
}
