package dev.resiliency.inprocess;

/**
 * Who this rank is in one iteration. The guide's {@code State}.
 *
 * @param initialRank the rank that the launcher gave this process: it never changes, and logs name ranks by it
 * @param initialWorldSize how many ranks the launcher started
 * @param rank this rank's position among all that are alive, active or not: 0 to {@code worldSize - 1}
 * @param worldSize how many ranks are alive
 * @param mode whether this rank runs the function
 * @param activeRank this rank's position among the active ones, 0 to {@code activeWorldSize - 1}: what the function
 *     takes for its rank. -1 on an inactive rank
 * @param activeWorldSize how many ranks run the function: what it takes for its world size
 * @param iteration how often the function was called before: 0 the first time
 * @param faults how often this rank itself has failed in this job: its function or an initialize hook threw, or it made
 *     no progress for the soft timeout. What failed on other ranks does not count, unless it made this one throw as well
 * @param lastFault why the iteration before this one was interrupted, such as {@code EXCEPTION on rank 2 (no route)}; if
 *     several ranks failed at once, the first of them. Empty in the first iteration
 * @since 0.1.0
 */
public record State(
        int initialRank,
        int initialWorldSize,
        int rank,
        int worldSize,
        Mode mode,
        int activeRank,
        int activeWorldSize,
        int iteration,
        int faults,
        String lastFault) {

    /** A rank that has not failed. */
    public State(
            int initialRank,
            int initialWorldSize,
            int rank,
            int worldSize,
            Mode mode,
            int activeRank,
            int activeWorldSize,
            int iteration) {
        this(initialRank, initialWorldSize, rank, worldSize, mode, activeRank, activeWorldSize, iteration, 0, "");
    }

    /** The same rank after so many faults of its own. */
    public State withFaults(int count) {
        return new State(
                initialRank,
                initialWorldSize,
                rank,
                worldSize,
                mode,
                activeRank,
                activeWorldSize,
                iteration,
                count,
                lastFault);
    }

    /** The same rank, after an iteration that this fault interrupted. */
    public State withLastFault(String fault) {
        return new State(
                initialRank,
                initialWorldSize,
                rank,
                worldSize,
                mode,
                activeRank,
                activeWorldSize,
                iteration,
                faults,
                fault);
    }

    /** Whether this rank runs the function. */
    public boolean isActive() {
        return mode == Mode.ACTIVE;
    }

    /** What a rank does in an iteration. */
    public enum Mode {
        /** Runs the wrapped function. */
        ACTIVE,
        /** Waits as a reserve, to take the place of an active rank that is lost. */
        INACTIVE
    }
}
