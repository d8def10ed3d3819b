package dev.resiliency.inprocess;

/**
 * Is told what the wrapper does on this rank. Called on the wrapper's own thread: it should be quick; what it throws is
 * logged.
 *
 * @since 0.1.0
 */
public interface RestartListener {

    /** An iteration has started: initialize hooks and the function run by now, or this rank waits as a reserve. */
    default void iterationStarted(State state) {}

    /** A restart is over: the next iteration has started. */
    default void restarted(RestartReport report) {}

    /** All active ranks have completed. */
    default void completed(State state) {}

    /** This rank leaves the job for {@code reason}, which will reach the caller. Not told before the first iteration. */
    default void leaving(State state, Throwable reason) {}
}
