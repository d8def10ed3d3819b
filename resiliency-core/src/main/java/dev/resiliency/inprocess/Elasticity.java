package dev.resiliency.inprocess;

import java.time.Duration;
import java.util.Objects;

/**
 * When a job's world may grow, and how small it may get: whether processes that come late or again are admitted, how
 * long the others wait for them, and how many ranks run the function. All ranks of a job should have the same policy:
 * that of the rank which leads an iteration applies.
 *
 * <p>Immutable; each method with a parameter returns a copy in which that setting differs:
 *
 * <pre>{@code
 * Elasticity.defaults().minRanks(4).replacementWait(Duration.ofSeconds(20))
 * }</pre>
 *
 * @param minRanks how many ranks must run the function: with fewer, the job waits for more to join. 1 by default
 * @param maxRanks how many ranks may run the function: whoever joins beyond them is a reserve. {@link #WORLD_SIZE} by
 *     default
 * @param rendezvousTimeout how long the job waits until {@code minRanks} ranks can run the function, and how long its
 *     first iteration waits for all ranks that were started; then it goes on with those that have come if they are
 *     enough, and otherwise ends with {@link TooFewRanksException}. 10 min by default
 * @param replacementWait how long the survivors of a loss wait for replacements before they go on smaller, even if
 *     they are enough. 0 by default
 * @param joinWait after a process has come to join: how long to wait for more of them before the iteration is
 *     interrupted for all at once. 1 s by default
 * @param admission when those who wait are taken in. {@link Admission#immediately()} by default
 * @since 0.1.0
 */
public record Elasticity(
        int minRanks,
        int maxRanks,
        Duration rendezvousTimeout,
        Duration replacementWait,
        Duration joinWait,
        Admission admission) {
    /** As {@link #maxRanks}: the number of ranks that the launcher started. */
    public static final int WORLD_SIZE = 0;

    /** Its nanoseconds are a third of the range of a long. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Elasticity DEFAULTS = new Elasticity(
            1, WORLD_SIZE, Duration.ofMinutes(10), Duration.ZERO, Duration.ofSeconds(1), Admission.immediately());

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if {@code minRanks} is below 1, {@code maxRanks} is positive and below {@code
     *     minRanks} or negative, or a duration is negative or longer than 36,500 days; names the setting and its value
     */
    public Elasticity {
        requireNotNegative("rendezvousTimeout", rendezvousTimeout);
        requireNotNegative("replacementWait", replacementWait);
        requireNotNegative("joinWait", joinWait);
        Objects.requireNonNull(admission, "admission is null");
        if (minRanks < 1) {
            throw new IllegalArgumentException("minRanks is " + minRanks + ": it must be at least 1");
        }
        if (maxRanks != WORLD_SIZE && maxRanks < minRanks) {
            throw new IllegalArgumentException("maxRanks is " + maxRanks
                    + ", but it must be at least minRanks, which is " + minRanks + ", or 0 for the world size");
        }
    }

    /** Returns the policy with all defaults. */
    public static Elasticity defaults() {
        return DEFAULTS;
    }

    /** Returns this policy with another {@code minRanks}. */
    public Elasticity minRanks(int value) {
        return new Elasticity(value, maxRanks, rendezvousTimeout, replacementWait, joinWait, admission);
    }

    /** Returns this policy with another {@code maxRanks}. */
    public Elasticity maxRanks(int value) {
        return new Elasticity(minRanks, value, rendezvousTimeout, replacementWait, joinWait, admission);
    }

    /** Returns this policy with another {@code rendezvousTimeout}. */
    public Elasticity rendezvousTimeout(Duration value) {
        return new Elasticity(minRanks, maxRanks, value, replacementWait, joinWait, admission);
    }

    /** Returns this policy with another {@code replacementWait}. */
    public Elasticity replacementWait(Duration value) {
        return new Elasticity(minRanks, maxRanks, rendezvousTimeout, value, joinWait, admission);
    }

    /** Returns this policy with another {@code joinWait}. */
    public Elasticity joinWait(Duration value) {
        return new Elasticity(minRanks, maxRanks, rendezvousTimeout, replacementWait, value, admission);
    }

    /** Returns this policy with another {@code admission}. */
    public Elasticity admission(Admission value) {
        return new Elasticity(minRanks, maxRanks, rendezvousTimeout, replacementWait, joinWait, value);
    }

    /** Returns how many ranks may run the function in a job that was started with {@code worldSize} ranks. */
    public int maxRanksOf(int worldSize) {
        return maxRanks == WORLD_SIZE ? worldSize : maxRanks;
    }

    private static void requireNotNegative(String name, Duration value) {
        Objects.requireNonNull(value, () -> name + " is null");
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + " is " + value.toMillis() / 1e3 + " s: it must not be negative");
        }
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " must be at most " + LONGEST.toDays() + " days");
        }
    }

    /**
     * When those who wait to join are taken in. Whoever would only become a reserve never interrupts an iteration.
     *
     * @param kind the occasion
     * @param atMost with {@link Kind#AT_SAFE_POINT}, how long to wait until all ranks are at a safe point before the
     *     iteration is interrupted as with {@link Kind#IMMEDIATELY}; 0 with every other kind
     * @since 0.1.0
     */
    public record Admission(Kind kind, Duration atMost) {

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if {@code atMost} is negative, longer than 36,500 days, or not 0 although the
         *     kind is not {@link Kind#AT_SAFE_POINT}
         */
        public Admission {
            Objects.requireNonNull(kind, "kind is null");
            requireNotNegative("atMost", atMost);
            if (kind != Kind.AT_SAFE_POINT && !atMost.isZero()) {
                throw new IllegalArgumentException("atMost is " + atMost.toMillis() / 1e3 + " s, but admission " + kind
                        + " waits for no safe point");
            }
        }

        /** Interrupts the iteration for those who wait, after {@link Elasticity#joinWait}. */
        public static Admission immediately() {
            return new Admission(Kind.IMMEDIATELY, Duration.ZERO);
        }

        /**
         * Takes in those who wait at a {@linkplain CallWrapper#step safe point} of the function, so that no step
         * is lost; interrupts the iteration if not all ranks have come to one {@code atMost} after {@link
         * Elasticity#joinWait}.
         */
        public static Admission atSafePoint(Duration atMost) {
            return new Admission(Kind.AT_SAFE_POINT, atMost);
        }

        /** Takes in those who wait with the next restart, and interrupts no iteration for them. */
        public static Admission atNextRestart() {
            return new Admission(Kind.AT_NEXT_RESTART, Duration.ZERO);
        }

        /** Refuses whoever comes late or again: {@link RankFencedException}. */
        public static Admission never() {
            return new Admission(Kind.NEVER, Duration.ZERO);
        }

        /** The occasions. */
        public enum Kind {
            /** The iteration is interrupted for those who wait. */
            IMMEDIATELY,
            /** All ranks regroup at the same safe point of the function. */
            AT_SAFE_POINT,
            /** Those who wait are taken in when the job restarts for another reason. */
            AT_NEXT_RESTART,
            /** Nobody is taken in. */
            NEVER
        }
    }
}
