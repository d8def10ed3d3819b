package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.Change;
import dev.resiliency.store.Value;
import org.jspecify.annotations.Nullable;

/** The outcome of an iteration: written once for all ranks, by the first writer. */
public enum Outcome {
    /** A fault came first: all ranks stop and regroup. */
    INTERRUPTED,
    /** All active ranks had returned before any fault. */
    COMPLETED;

    /** Returns the outcome that a change of its key reports; null if the key was deleted. */
    public static @Nullable Outcome in(Change change) {
        if (change instanceof Change.Deleted) {
            return null;
        }
        return change instanceof Change.Written written ? of(written.value()) : INTERRUPTED;
    }

    /**
     * Returns the outcome that this value stands for. One that no rank has written is an interruption: the claim that
     * every rank makes after a fault would not replace it, so the ranks would wait forever.
     */
    static Outcome of(Value value) {
        return value.text().equals(COMPLETED.name()) ? COMPLETED : INTERRUPTED;
    }
}
