package dev.resiliency.inprocess.rank;

import java.util.List;

/**
 * The place and role of one rank in a {@link World}.
 *
 * @param initialRank the number that identifies the process: of a founder the rank that the launcher gave it, of a rank
 *     that joined later a number from the initial world size up. Never used twice
 * @param rank its position among all ranks
 * @param healthy false if it is lost, or is to be dropped: the assignment closes the gap that it leaves
 * @param activeRank its position among the active ones; {@link #NONE} for a reserve
 * @param reserveOrder when it was deactivated, compared to other reserves: a later one has a higher number. Negative for
 *     a rank that is active, such as {@link #NONE}, or has no role yet
 * @param keys the rank's keys when it joined, for {@link World#key}. Empty for a rank that died before it published
 *     them
 * @param reason why it has this role; empty if the last assignment did not change it
 * @since 0.1.0
 */
public record Placement(
        int initialRank,
        int rank,
        boolean healthy,
        int activeRank,
        int reserveOrder,
        List<String> keys,
        String reason) {
    /** The {@code activeRank} or {@code reserveOrder} of a rank that has none. */
    public static final int NONE = -1;

    /** The {@code reserveOrder} of a rank that joins. */
    private static final int JOINING = -2;

    /** Returns a rank with which the job begins, in its initial place. */
    static Placement founding(int initialRank, List<String> keys) {
        return new Placement(initialRank, initialRank, true, NONE, NONE, List.copyOf(keys), "");
    }

    /** Returns a rank that joins, at this position. */
    static Placement joining(int initialRank, int rank, List<String> keys) {
        return new Placement(initialRank, rank, true, NONE, JOINING, List.copyOf(keys), "");
    }

    /** Returns the reason of a rank that joins for taking the place of a lost one. */
    static String joinedInPlaceOf(Placement lost) {
        return "joined in the place of rank " + lost.initialRank();
    }

    /** Returns whether the rank runs the function. */
    public boolean isActive() {
        return activeRank != NONE;
    }

    /** Returns whether no assignment has made the rank active or a reserve yet. */
    public boolean isNew() {
        return activeRank == NONE && reserveOrder < 0;
    }

    /** Returns whether the rank is new and was added to the job's initial world or to a later one: it joins. */
    public boolean isJoining() {
        return isNew() && reserveOrder == JOINING;
    }

    /** Returns the same rank at another position. */
    public Placement withRank(int newRank) {
        return new Placement(initialRank, newRank, healthy, activeRank, reserveOrder, keys, reason);
    }

    Placement withReason(String newReason) {
        return new Placement(initialRank, rank, healthy, activeRank, reserveOrder, keys, newReason);
    }

    /** Returns the same rank as an active one. */
    public Placement activated(int newActiveRank, String why) {
        return new Placement(initialRank, rank, healthy, newActiveRank, NONE, keys, why);
    }

    /** Returns the same rank as a reserve. */
    public Placement deactivated(int newReserveOrder, String why) {
        return new Placement(initialRank, rank, healthy, NONE, newReserveOrder, keys, why);
    }

    /** Returns the same rank, marked to be dropped. */
    public Placement unhealthy(String why) {
        return new Placement(initialRank, rank, false, activeRank, reserveOrder, keys, why);
    }
}
