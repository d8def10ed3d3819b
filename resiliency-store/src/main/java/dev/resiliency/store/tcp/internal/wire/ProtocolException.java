package dev.resiliency.store.tcp.internal.wire;

/** Thrown when the peer violates the protocol. The connection can no longer be used. */
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ProtocolException(String message) {
        super(message);
    }
}
