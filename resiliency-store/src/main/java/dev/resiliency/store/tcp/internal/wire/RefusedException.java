package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.Value;
import java.io.IOException;

/** Thrown when the server or the client refuses the handshake. */
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final int SHOWN_CHARACTERS = 1 << 10; // the other side may have written it

    private final int code;

    /** Creates a refusal with one of the codes in {@link Frames}. */
    public RefusedException(int code, String message) {
        super(Value.printable(message, SHOWN_CHARACTERS));
        this.code = code;
    }

    /** Creates a refusal with one of the codes in {@link Frames}. */
    public RefusedException(int code, String message, Throwable cause) {
        super(Value.printable(message, SHOWN_CHARACTERS), cause);
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Returns whether a retry is pointless. */
    public boolean isFinal() {
        return code != Frames.REFUSED_SCOPE;
    }
}
