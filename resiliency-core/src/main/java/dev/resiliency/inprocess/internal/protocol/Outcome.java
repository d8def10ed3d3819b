package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.Change;
import org.jspecify.annotations.Nullable;

/** How an iteration ends: written once, by whoever is first, for all ranks. */
public enum Outcome {
    /** A fault came first: all ranks stop and regroup. */
    INTERRUPTED,
    /** All active ranks had returned before any fault. */
    COMPLETED;

    /** The outcome that a change of its key brings; null if the change is its removal. */
    public static @Nullable Outcome in(Change change) {
        return change instanceof Change.Written written
                ? valueOf(written.value().text())
                : null;
    }
}
