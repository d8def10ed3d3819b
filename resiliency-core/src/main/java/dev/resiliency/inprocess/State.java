package dev.resiliency.inprocess;

/**
 * This rank's identity and role in one iteration. Corresponds to nvidia-resiliency-ext's {@code State}.
 *
 * @param initialRank the rank that the launcher gave this process: it never changes, and logs name ranks by it
 * @param initialWorldSize the number of ranks that the launcher started
 * @param rank this rank's position among all that are alive, active or not: 0 to {@code worldSize - 1}
 * @param worldSize the number of ranks that are alive
 * @param mode whether this rank runs the function
 * @param activeRank this rank's position among the active ones, 0 to {@code activeWorldSize - 1}: the rank that the
 *     function should use. -1 on an inactive rank
 * @param activeWorldSize the number of ranks that run the function: the world size that it should use
 * @param iteration how many times the function was called before: 0 the first time
 * @param faults how often this rank itself has failed in this job: its function or an initialize hook threw, or it made
 *     no progress for the soft timeout. Failures of other ranks do not count, unless they made this one throw as well
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

    /** Creates the state of a rank that has not failed. */
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

    /** Returns this state with another number of faults. */
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

    /** Returns this state with another last fault. */
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

    /** Returns whether this rank runs the function. */
    public boolean isActive() {
        return mode == Mode.ACTIVE;
    }

    /** The role of a rank in an iteration. */
    public enum Mode {
        /** Runs the wrapped function. */
        ACTIVE,
        /** Waits as a reserve, to take the place of an active rank that is lost. */
        INACTIVE
    }
}
