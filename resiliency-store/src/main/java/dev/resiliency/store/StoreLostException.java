package dev.resiliency.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the connection to the store ended or could not be made: no further request can succeed. It has no stack trace: the message
 * says all, and what the library's threads did when they noticed is logged at DEBUG.
 *
 * @since 0.1.0
 */
public final class StoreLostException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final String address;

    /** Creates an exception whose message names the address; the cause says how the connection ended. */
    public StoreLostException(String address, String message, @Nullable Throwable cause) {
        super(message, cause, false);
        this.address = address;
    }

    /** Returns the address of the store, as {@code host:port}. */
    public String address() {
        return address;
    }
}
