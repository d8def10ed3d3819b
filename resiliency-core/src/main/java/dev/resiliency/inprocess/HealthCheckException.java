package dev.resiliency.inprocess;

/**
 * Thrown when a health check or a finalize hook of this rank failed, so that it left the job; the cause is what the
 * hook threw.
 *
 * @since 0.1.0
 */
public final class HealthCheckException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message names the step that failed. */
    public HealthCheckException(String message, Throwable cause) {
        super(message, cause);
    }
}
