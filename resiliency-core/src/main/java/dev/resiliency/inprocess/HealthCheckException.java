package dev.resiliency.inprocess;

/**
 * A health check or a finalize hook of this rank failed, so it left the job; the cause is what was thrown.
 *
 * @since 0.1.0
 */
public final class HealthCheckException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    /** A failure of this cause, in the step that the message names. */
    public HealthCheckException(String message, Throwable cause) {
        super(message, cause);
    }
}
