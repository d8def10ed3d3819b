package dev.resiliency.inprocess;

/**
 * Thrown when the function could not be stopped within the hard timeout; its thread still runs.
 *
 * @since 0.1.0
 */
public final class WorkerStuckException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message names the thread and shows where it is. */
    public WorkerStuckException(String message) {
        super(message, null);
    }
}
