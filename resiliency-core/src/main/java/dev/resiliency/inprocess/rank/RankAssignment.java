package dev.resiliency.inprocess.rank;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * Decides which ranks take part in the next iteration, and in which roles: a pure function from the previous world, in
 * which lost ranks are marked, to the next one. One rank computes it for all. Corresponds to nvidia-resiliency-ext's
 * {@code RankAssignment}.
 *
 * <p>The result must hold healthy ranks only; ranks are numbered from 0 without gaps, and so are the active ones. A
 * healthy rank that it leaves out leaves the job with {@link dev.resiliency.inprocess.RankDiscardedException}.
 *
 * <p>Ranks that join a running job are the last ones of the input, in the order in which they came, healthy and {@link
 * Placement#isJoining() without a role}. One that the result leaves out waits, and is part of the next input again; so it
 * must not be the cause that another rank leaves.
 *
 * <p>{@link Tree} is complete in itself. The assignments that the methods of this interface return are parts, to be
 * combined by {@link #compose} and {@link #andThen}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RankAssignment {

    /** Returns the next world. Must be stateless and depend on nothing but {@code world}. */
    World assign(World world);

    /** Returns the keys that each rank publishes when it joins: {@link World#key} has their values. None by default. */
    default List<GroupKey> keys() {
        return List.of();
    }

    /**
     * Returns an assignment that activates every rank, those that join as well, in the order of the ranks. Cannot be
     * composed with another one that decides which ranks are active. Corresponds to nvidia-resiliency-ext's {@code
     * ActivateAllRanks}.
     */
    static RankAssignment activateAllRanks() {
        return new ActivateAllRanks();
    }

    /**
     * Returns an assignment that shifts all healthy ranks to the left to close the gaps of lost ones, keeps their
     * order, and activates all of them. Ranks that join, here 8, come last. Corresponds to nvidia-resiliency-ext's
     * {@code ShiftRanks}.
     *
     * <pre>
     *  | 0 | X | 2 | 3 | X | X | 6 | 7 |       →   | 0 | 2 | 3 | 6 | 7 |
     *  | 0 | X | 2 | 3 | X | X | 6 | 7 | 8 |   →   | 0 | 2 | 3 | 6 | 7 | 8 |
     * </pre>
     */
    static RankAssignment shiftRanks() {
        return new ShiftRanks();
    }

    /**
     * Returns an assignment that fills the gaps of lost ranks with the healthy ranks from the end, in their order, and
     * activates all. The first ranks, as many as are healthy, keep their places, so few move. Ranks that join, here 8
     * to 10, are at the end: they take the places of lost ones, and if there are enough of them, no other rank moves.
     * Corresponds to nvidia-resiliency-ext's {@code FillGaps}.
     *
     * <pre>
     *  |--- preserved ---|-- moved --|
     *  | 0 | X | 2 | 3 | X | X | 6 | 7 |                →   | 0 | 6 | 2 | 3 | 7 |
     *  | 0 | X | 2 | 3 | X | X | 6 | 7 | 8 | 9 | 10 |   →   | 0 | 8 | 2 | 3 | 9 | 10 | 6 | 7 |
     * </pre>
     */
    static RankAssignment fillGaps() {
        return new FillGaps();
    }

    /**
     * Returns an assignment that counts the healthy ranks of each group, and marks all ranks of a group whose count
     * does not meet the condition: a host that has lost one GPU is dropped whole. {@link #shiftRanks} or {@link
     * #fillGaps}, run later, drops them. Of the ranks that join a group, the first ones count, as many as the condition
     * accepts; the others wait until the group needs them. Corresponds to nvidia-resiliency-ext's {@code
     * FilterCountGroupedByKey}.
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
    static RankAssignment filterCountGroupedByKey(GroupKey key, IntPredicate condition) {
        return new FilterCountGroupedByKey(key, condition);
    }

    /**
     * Returns an assignment that limits the number of active ranks; the others, such as those that join a full world,
     * are reserves, and move up when ranks are lost. Corresponds to nvidia-resiliency-ext's {@code MaxActiveWorldSize}.
     *
     * @param maxActiveWorldSize {@link Integer#MAX_VALUE} for no limit
     * @throws IllegalArgumentException if it is less than 1
     */
    static RankAssignment maxActiveWorldSize(int maxActiveWorldSize) {
        return new MaxActiveWorldSize(maxActiveWorldSize);
    }

    /**
     * Returns an assignment that keeps the largest number of ranks active that is divisible by {@code divisor}; the
     * others are reserves, until enough ranks have joined. Corresponds to nvidia-resiliency-ext's {@code
     * ActiveWorldSizeDivisibleBy}.
     *
     * @throws IllegalArgumentException if the divisor is less than 1
     */
    static RankAssignment activeWorldSizeDivisibleBy(int divisor) {
        return new ActiveWorldSizeDivisibleBy(divisor);
    }

    /**
     * Returns an assignment that applies this one, then {@code next}.
     *
     * @throws IllegalArgumentException if these cannot work together; says why
     */
    default RankAssignment andThen(RankAssignment next) {
        return compose(next, this);
    }

    /**
     * Returns this assignment with a limit of active ranks for the whole job; the others are reserves. The limit
     * applies after all ranks have been activated, but before a last {@link #maxActiveWorldSize}, {@link
     * #activeWorldSizeDivisibleBy} or {@link Tree#worldSizeFilter}, whose conditions so still hold.
     *
     * @param maxRanks at least 1
     * @throws IllegalArgumentException if it is less
     */
    default RankAssignment limitedTo(int maxRanks) {
        return new Composition(List.of(this, new MaxRanks(maxRanks)));
    }

    /**
     * Returns an assignment that applies all of these in mathematical order: <b>the last one listed runs first</b>.
     * Corresponds to nvidia-resiliency-ext's {@code Compose}.
     *
     * @throws IllegalArgumentException if these cannot work together; says why
     */
    static RankAssignment compose(RankAssignment... assignments) {
        return Composition.of(List.of(assignments));
    }
}
