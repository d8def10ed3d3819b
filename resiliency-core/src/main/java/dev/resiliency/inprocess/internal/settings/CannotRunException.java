package dev.resiliency.inprocess.internal.settings;

import java.io.IOException;

/** Thrown when a rank cannot begin, whenever it starts: its host or its options must change first. */
public final class CannotRunException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message says what to change. */
    public CannotRunException(String message, IOException cause) {
        super(message, cause);
    }
}
