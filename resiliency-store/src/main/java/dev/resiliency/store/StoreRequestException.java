package dev.resiliency.store;

/**
 * Thrown when the store rejects an invalid request: a counter that is not a number, a set that is read as a value, or a
 * limit that is exceeded. The connection remains usable.
 *
 * @since 0.1.0
 */
public final class StoreRequestException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message names the key and the problem with the request. */
    public StoreRequestException(String message) {
        super(message);
    }
}
