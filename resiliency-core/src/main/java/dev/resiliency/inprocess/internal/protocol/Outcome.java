package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.Change;
import org.jspecify.annotations.Nullable;

/** The outcome of an iteration: written once for all ranks, by the first writer. */
public enum Outcome {
    /** A fault came first: all ranks stop and regroup. */
    INTERRUPTED,
    /** All active ranks had returned before any fault. */
    COMPLETED;

    /** Returns the outcome that a change of its key reports; null if the key was deleted. */
    public static @Nullable Outcome in(Change change) {
        return change instanceof Change.Written written
                ? valueOf(written.value().text())
                : null;
    }
}
