package dev.resiliency.inprocess.rank;

import java.util.List;

/**
 * Where one rank stands in a {@link World}.
 *
 * @param initialRank the rank that the launcher gave the process; its name
 * @param rank its position among all, before or after the assignment
 * @param healthy false if it is lost, or is to be dropped: the assignment closes the gap that it leaves
 * @param activeRank its position among the active ones; {@link #NONE} for a reserve
 * @param reserveOrder when it was deactivated, compared to other reserves: a later one has a higher number.
 *     {@link #NONE} for a rank that is active or has no role yet
 * @param keys what the rank's keys were when it joined; read them with {@link World#key}. Empty for a rank that died
 *     before it could tell
 * @param reason why it was given this role; empty if the last assignment left it as it was
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

    /** A rank that has just joined, in its initial place. */
    static Placement joined(int initialRank, List<String> keys) {
        return new Placement(initialRank, initialRank, true, NONE, NONE, List.copyOf(keys), "");
    }

    /** Whether the rank runs the function. */
    public boolean isActive() {
        return activeRank != NONE;
    }

    /** Whether the rank has just joined: no assignment has made it active or a reserve yet. */
    public boolean isNew() {
        return activeRank == NONE && reserveOrder == NONE;
    }

    /** The same rank in another place among all. */
    public Placement withRank(int newRank) {
        return new Placement(initialRank, newRank, healthy, activeRank, reserveOrder, keys, reason);
    }

    Placement withReason(String newReason) {
        return new Placement(initialRank, rank, healthy, activeRank, reserveOrder, keys, newReason);
    }

    /** The same rank as an active one. */
    public Placement activated(int newActiveRank, String why) {
        return new Placement(initialRank, rank, healthy, newActiveRank, NONE, keys, why);
    }

    /** The same rank as a reserve. */
    public Placement deactivated(int newReserveOrder, String why) {
        return new Placement(initialRank, rank, healthy, NONE, newReserveOrder, keys, why);
    }

    /** The same rank, to be dropped. */
    public Placement unhealthy(String why) {
        return new Placement(initialRank, rank, false, activeRank, reserveOrder, keys, why);
    }
}
