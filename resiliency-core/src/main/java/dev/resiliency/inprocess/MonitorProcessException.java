package dev.resiliency.inprocess;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the monitor process of this rank could not be started or died: the rank leaves, as nothing would detect
 * its hang.
 *
 * @since 0.1.0
 */
public final class MonitorProcessException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message says how the process ended. */
    public MonitorProcessException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
