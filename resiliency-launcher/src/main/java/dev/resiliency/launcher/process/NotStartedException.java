package dev.resiliency.launcher.process;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown if a process could not be started. */
public final class NotStartedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient ExitReason reason;

    /** Creates it. */
    public NotStartedException(ExitReason reason, @Nullable Throwable cause) {
        super(reason.description(), cause);
        this.reason = reason;
    }

    /** Returns what prevented it. */
    public ExitReason reason() {
        return reason;
    }
}
