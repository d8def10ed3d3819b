package dev.resiliency.inprocess;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by the wrapped function or an initialize hook to leave the job for good: this rank is not called again, and
 * the error reaches the caller of the wrapper. The others restart without it. An {@link Error}, so that {@code catch
 * (Exception e)} does not swallow it. Corresponds to nvidia-resiliency-ext's {@code RestartAbort}.
 *
 * @since 0.1.0
 */
public class RestartAbort extends Error {
    private static final long serialVersionUID = 1L;

    /** Creates an error with the reason for leaving the job. */
    public RestartAbort(String message) {
        super(message);
    }

    /** Creates an error with a cause. */
    public RestartAbort(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
