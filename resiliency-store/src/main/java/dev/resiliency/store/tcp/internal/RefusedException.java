package dev.resiliency.store.tcp.internal;

import java.io.IOException;

/** The server refused the handshake. */
final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean isFinal;

    RefusedException(String message, boolean isFinal) {
        super(message);
        this.isFinal = isFinal;
    }

    /** Whether it will not help to try again. */
    boolean isFinal() {
        return isFinal;
    }
}
