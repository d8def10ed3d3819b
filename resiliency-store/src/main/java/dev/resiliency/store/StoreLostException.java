package dev.resiliency.store;

import org.jspecify.annotations.Nullable;

/**
 * The connection to the store ended, or could not be made: nothing can be asked of it any more.
 *
 * @since 0.1.0
 */
public final class StoreLostException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final String address;

    /** A message that names the address; the cause says how the connection ended. */
    public StoreLostException(String address, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.address = address;
    }

    /** Where the store was, as {@code host:port}. */
    public String address() {
        return address;
    }
}
