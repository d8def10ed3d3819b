package dev.resiliency.store;

import org.jspecify.annotations.Nullable;

/**
 * The root of everything that a store throws. Its kinds carry what happened as fields.
 *
 * @since 0.1.0
 */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception with a message that says what happened, to whom, and what to do. */
    public StoreException(String message) {
        super(message);
    }

    /** The same, with its cause. */
    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
