package dev.resiliency.store;

import java.time.Duration;

/**
 * A request was not answered in its time, because what it waits for did not happen or the server is too slow.
 *
 * @since 0.1.0
 */
public final class StoreTimeoutException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final Duration timeout;

    /** A message that names what was waited for, and the limit. */
    public StoreTimeoutException(String message, Duration timeout) {
        super(message);
        this.timeout = timeout;
    }

    /** The limit that was reached. */
    public Duration timeout() {
        return timeout;
    }
}
