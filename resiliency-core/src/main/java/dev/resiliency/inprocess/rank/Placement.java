package dev.resiliency.inprocess.rank;

/**
 * Where one rank stands in a {@link World}.
 *
 * @param initialRank the rank that the launcher gave the process; its name
 * @param rank its position among all, before or after the assignment
 * @param healthy false if it is lost, or is to be dropped: the assignment closes the gap that it leaves
 * @param activeRank its position among the active ones; {@link #INACTIVE} for a reserve
 */
public record Placement(int initialRank, int rank, boolean healthy, int activeRank) {
    /** The {@code activeRank} of one that is not active. */
    public static final int INACTIVE = -1;

    /** Whether the rank runs the function. */
    public boolean isActive() {
        return activeRank != INACTIVE;
    }

    Placement withRank(int newRank) {
        return new Placement(initialRank, newRank, healthy, activeRank);
    }

    Placement withActiveRank(int newActiveRank) {
        return new Placement(initialRank, rank, healthy, newActiveRank);
    }
}
