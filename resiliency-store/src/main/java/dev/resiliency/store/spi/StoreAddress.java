package dev.resiliency.store.spi;

/**
 * Where another process finds a store.
 *
 * @param host its host name or address
 * @param port its TCP port
 * @param scope what the server serves: it takes only clients that ask for the same. Empty by default
 * @param protocol what its server speaks
 * @since 0.1.0
 */
public record StoreAddress(String host, int port, String scope, Protocol protocol) {

    /** What a store's server speaks. */
    public enum Protocol {
        /** This library's own. */
        NATIVE,
        /** That of PyTorch's TCPStore. */
        PYTORCH
    }

    /** A server that speaks this library's own protocol. */
    public StoreAddress(String host, int port, String scope) {
        this(host, port, scope, Protocol.NATIVE);
    }

    /** {@code host:port}. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
