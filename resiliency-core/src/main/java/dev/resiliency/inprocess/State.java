package dev.resiliency.inprocess;

/**
 * This rank's identity and role in one iteration. Corresponds to nvidia-resiliency-ext's {@code State}.
 *
 * @param initialRank the number by which logs name this process, which never changes: the rank that the launcher gave
 *     it or, if it joined a running job, a number from {@code initialWorldSize} on that no other process of the
 *     generation has had
 * @param initialWorldSize the number of ranks that the launcher started
 * @param rank this rank's position among all that are alive, active or not: 0 to {@code worldSize - 1}
 * @param worldSize the number of ranks that are alive
 * @param mode whether this rank runs the function
 * @param activeRank this rank's position among the active ones, 0 to {@code activeWorldSize - 1}: the rank that the
 *     function should use. -1 on an inactive rank
 * @param activeWorldSize the number of ranks that run the function: the world size that it should use
 * @param iteration the number of this iteration, which only grows in the life of a job: 0 the first time, then one more
 *     with each restart; where no process survives, the next generation begins with the next multiple of 100
 * @param faults how often this rank itself has failed in this job: its function or an initialize hook threw, or it made
 *     no progress for the soft timeout. Failures of other ranks do not count, unless they made this one throw as well
 * @param lastFault why the iteration before this one was interrupted, such as {@code EXCEPTION on rank 2 (no route)}; if
 *     several ranks failed at once, the first of them that has not only followed. Empty in the first iteration of this
 *     process
 * @param entry how this process came into this iteration
 * @param generation 0 the first time; it grows when all processes of the job had ended and the job was started anew, and when
 *     survivors have founded its store anew
 * @param jobRestarts how many iterations the job had before this one, in all generations; the job has called the
 *     function that often before, whether or not this process took part
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
        String lastFault,
        Entry entry,
        int generation,
        int jobRestarts) {

    /**
     * Creates the state of a rank that has not failed, in a job that has had no other process than those that were
     * started first.
     */
    public State(
            int initialRank,
            int initialWorldSize,
            int rank,
            int worldSize,
            Mode mode,
            int activeRank,
            int activeWorldSize,
            int iteration) {
        this(
                initialRank,
                initialWorldSize,
                rank,
                worldSize,
                mode,
                activeRank,
                activeWorldSize,
                iteration,
                0,
                "",
                iteration == 0 ? Entry.FOUNDED : Entry.SURVIVED,
                0,
                iteration);
    }

    /** Returns this state with another number of faults. */
    public State withFaults(int count) {
        return with(count, lastFault, entry, generation, jobRestarts);
    }

    /** Returns this state with another last fault. */
    public State withLastFault(String fault) {
        return with(faults, fault, entry, generation, jobRestarts);
    }

    /** Returns this state with another entry, generation and number of restarts of the job. */
    public State withOrigin(Entry how, int inGeneration, int afterRestarts) {
        return with(faults, lastFault, how, inGeneration, afterRestarts);
    }

    private State with(int count, String fault, Entry how, int inGeneration, int afterRestarts) {
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
                fault,
                how,
                inGeneration,
                afterRestarts);
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

    /** How a process came into an iteration. */
    public enum Entry {
        /**
         * It is the first iteration of its generation, and this process has nothing in memory; nor has another one, unless it has
         * {@link #SURVIVED} as the agents of {@code resiliency run} found the store anew.
         */
        FOUNDED,
        /** This process was in the iteration before, and has in memory what it left there. */
        SURVIVED,
        /** The process has joined a running job with this iteration. */
        JOINED
    }
}
