package dev.resiliency.store;

import java.time.Duration;

/**
 * Thrown when a request is not answered in time, because what it waits for did not happen or the server is too slow.
 *
 * @since 0.1.0
 */
public final class StoreTimeoutException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final Duration timeout;

    /** Creates an exception whose message names what was awaited, and the limit. */
    public StoreTimeoutException(String message, Duration timeout) {
        super(message);
        this.timeout = timeout;
    }

    /** Returns the limit that was reached. */
    public Duration timeout() {
        return timeout;
    }
}
