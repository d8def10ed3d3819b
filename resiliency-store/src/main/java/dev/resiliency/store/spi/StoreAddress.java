package dev.resiliency.store.spi;

/**
 * The address at which another process reaches a store.
 *
 * @param host its host name or address
 * @param port its TCP port
 * @param scope the scope of the server, which accepts only clients that ask for the same. Empty by default
 * @param protocol the protocol of its server
 * @since 0.1.0
 */
public record StoreAddress(String host, int port, String scope, Protocol protocol) {

    /** The protocol of a store's server. */
    public enum Protocol {
        /** The protocol of this library. */
        NATIVE,
        /** The protocol of PyTorch's TCPStore. */
        PYTORCH
    }

    /** Creates the address of a server that speaks this library's own protocol. */
    public StoreAddress(String host, int port, String scope) {
        this(host, port, scope, Protocol.NATIVE);
    }

    /** Returns {@code host:port}. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
