package dev.resiliency.inprocess;

import org.jspecify.annotations.Nullable;

/**
 * The root of this library's exceptions: those with which a rank leaves its job, and the faults of its GPU.
 *
 * @since 0.1.0
 */
public class ResiliencyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message says what happened, to which rank, and what to do. */
    public ResiliencyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
