package dev.resiliency.store;

/**
 * The store refused a request for what it asks: a counter that is no number, a set that is read as a value, a limit
 * that is exceeded. The connection lives on.
 *
 * @since 0.1.0
 */
public final class StoreRequestException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** A message that names the key and what is wrong with the request. */
    public StoreRequestException(String message) {
        super(message);
    }
}
