package dev.resiliency.state;

/**
 * Reads the checkpoint into the buffers of a {@link LiveState}, when no rank holds the state in memory.
 *
 * @param <E> what it throws; {@link RuntimeException} if nothing that is checked
 * @since 0.1.0
 */
@FunctionalInterface
public interface CheckpointReader<E extends Exception> {

    /**
     * Fills all buffers, which may hold anything before: from the checkpoint or, without one, with the initial state.
     *
     * @return the step after which the checkpoint was written; 0 for the initial state. The same on all ranks
     */
    long read() throws E;
}
