package dev.resiliency.store;

import dev.resiliency.store.spi.guard.Printable;
import org.jspecify.annotations.Nullable;

/**
 * The root of all exceptions that a store throws. Its subclasses carry the details as fields. Messages may name keys and
 * values of any client, so control characters in them are escaped: {@link Value#printable}.
 *
 * @since 0.1.0
 */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message says what happened, to whom, and what to do. */
    public StoreException(String message) {
        super(Printable.of(message));
    }

    /** Creates an exception with a cause. */
    public StoreException(String message, @Nullable Throwable cause) {
        super(Printable.of(message), cause);
    }

    /** Creates an exception that perhaps has no stack trace. */
    StoreException(String message, @Nullable Throwable cause, boolean hasStackTrace) {
        super(Printable.of(message), cause, true, hasStackTrace);
    }
}
