package dev.resiliency.inprocess.rank;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * Decides who takes part in the next iteration, and as what: a pure function from the previous world, in which the lost
 * ranks are marked, to the next one. Only one rank computes it, for all. Corresponds to nvidia-resiliency-ext's {@code
 * RankAssignment}.
 *
 * <p>The result must hold healthy ranks only; ranks are numbered from 0 without gaps, and so are the active ones. A
 * healthy rank that it leaves out leaves the job with {@link dev.resiliency.inprocess.RankDiscardedException}.
 *
 * <p>{@link Tree} does everything at once. Those that the methods of this interface make are parts, for {@link #compose}
 * and {@link #andThen}.
 *
 * @since 0.1.0
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
     * Activates every rank, in the order of the ranks. Cannot be composed with another assignment that says who is
     * active. Corresponds to nvidia-resiliency-ext's {@code ActivateAllRanks}.
     */
    static RankAssignment activateAllRanks() {
        return new ActivateAllRanks();
    }

    /**
     * Shifts all healthy ranks to the left to close the gaps that lost ones leave, keeps their order, and activates all
     * of them. Corresponds to nvidia-resiliency-ext's {@code ShiftRanks}.
     *
     * <pre>
     *  | 0 | X | 2 | 3 | X | X | 6 | 7 |   →   | 0 | 2 | 3 | 6 | 7 |
     * </pre>
     */
    static RankAssignment shiftRanks() {
        return new ShiftRanks();
    }

    /**
     * Fills the gaps that lost ranks leave with the healthy ranks from the end, in their order, and activates all. The
     * first ones, as many as are healthy, stay where they are, so few move. Corresponds to nvidia-resiliency-ext's
     * {@code FillGaps}.
     *
     * <pre>
     *  |--- preserved ---|-- moved --|
     *  | 0 | X | 2 | 3 | X | X | 6 | 7 |   →   | 0 | 6 | 2 | 3 | 7 |
     * </pre>
     */
    static RankAssignment fillGaps() {
        return new FillGaps();
    }

    /**
     * Counts the healthy ranks of each group, and marks all ranks of a group whose count the condition refuses: a host
     * that has lost one GPU is dropped whole. {@link #shiftRanks} or {@link #fillGaps}, run later, drops them.
     * Corresponds to nvidia-resiliency-ext's {@code FilterCountGroupedByKey}.
     *
     * <pre>
     *  count == 2
     *
     *  | 0   X | 2   3 | X   X | 6   7 |   →   | X   X | 2   3 | X   X | 6   7 |
     *  | key 0 | key 1 | key 2 | key 3 |
     * </pre>
     *
     * @param key the group of a rank
     * @param condition whether a group with so many healthy ranks stays
     */
    static RankAssignment filterCountGroupedByKey(GroupKey key, IntPredicate condition) {
        return new FilterCountGroupedByKey(key, condition);
    }

    /**
     * Keeps at most so many ranks active; the others are reserves, and move up when ranks are lost. Corresponds to
     * nvidia-resiliency-ext's {@code MaxActiveWorldSize}.
     *
     * @param maxActiveWorldSize {@link Integer#MAX_VALUE} for no limit
     * @throws IllegalArgumentException if it is less than 1
     */
    static RankAssignment maxActiveWorldSize(int maxActiveWorldSize) {
        return new MaxActiveWorldSize(maxActiveWorldSize);
    }

    /**
     * Keeps the largest number of ranks active that can be divided by {@code divisor}; the others are reserves.
     * Corresponds to nvidia-resiliency-ext's {@code ActiveWorldSizeDivisibleBy}.
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
     * Returns an assignment that applies all of these in mathematical order: <b>the last one listed runs first</b>.
     * Corresponds to nvidia-resiliency-ext's {@code Compose}.
     *
     * @throws IllegalArgumentException if these cannot work together; says why
     */
    static RankAssignment compose(RankAssignment... assignments) {
        return Composition.of(List.of(assignments));
    }
}
