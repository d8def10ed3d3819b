package dev.resiliency.store.tcp.internal.wire;

/** The peer sent what this protocol does not have. The connection cannot be used any more. */
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ProtocolException(String message) {
        super(message);
    }
}
