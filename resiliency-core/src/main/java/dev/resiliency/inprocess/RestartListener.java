package dev.resiliency.inprocess;

/**
 * Observes the wrapper on this rank. Its methods are called on the wrapper's monitor thread, so they should be quick;
 * whatever they throw is logged.
 *
 * @since 0.1.0
 */
public interface RestartListener {

    /**
     * Called when an iteration has started: the initialize hooks and the function are running, or this rank waits as a
     * reserve.
     */
    default void iterationStarted(State state) {}

    /** Called after a restart, when the next iteration has started. */
    default void restarted(RestartReport report) {}

    /**
     * Called when the world has changed: with the first iteration of this process and with each later one whose members
     * differ, before {@link #iterationStarted}; when an iteration is interrupted; when this rank is to leave on
     * purpose; and when all active ranks have completed, before {@link #completed}. If this rank leaves the job, {@link
     * #leaving} is called instead.
     */
    default void worldChanged(WorldEvent event) {}

    /** Called when all active ranks have completed. */
    default void completed(State state) {}

    /**
     * Called when this rank leaves the job for {@code reason}, which will reach the caller; if it leaves on purpose, a
     * {@link ResiliencyException} that says so, and the call returns null. Not called before the first iteration.
     */
    default void leaving(State state, Throwable reason) {}
}
