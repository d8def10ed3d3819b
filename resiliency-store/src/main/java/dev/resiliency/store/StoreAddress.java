package dev.resiliency.store;

/**
 * Where another process finds a store.
 *
 * @param host its host name or address
 * @param port its TCP port
 * @param scope what the server serves: it takes only clients that ask for the same. Empty by default
 */
public record StoreAddress(String host, int port, String scope) {

    /** {@code host:port}. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
