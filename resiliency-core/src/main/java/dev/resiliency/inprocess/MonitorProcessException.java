package dev.resiliency.inprocess;

import org.jspecify.annotations.Nullable;

/**
 * The monitor process of this rank could not be started or died: the rank leaves, since nothing would end a hang.
 *
 * @since 0.1.0
 */
public final class MonitorProcessException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    /** A message that says how it ended. */
    public MonitorProcessException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
