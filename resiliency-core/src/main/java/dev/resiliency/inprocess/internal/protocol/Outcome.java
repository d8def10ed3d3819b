package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.store.Change;
import dev.resiliency.store.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of an iteration: written once for all ranks, by the first writer. */
public enum Outcome {
    /** A fault came first: all ranks stop and regroup. */
    INTERRUPTED,
    /** All active ranks had returned before any fault. */
    COMPLETED;

    /** The value of an interruption after which each rank says where it stands. */
    private static final Value HANG = Value.of("INTERRUPTED by a hang");

    /** Returns the value of an iteration that these have interrupted. */
    static Value interruptedBy(List<Interruption> interruptions) {
        boolean isHang = interruptions.stream().anyMatch(each -> HangRule.isHang(each.kind()));
        return isHang ? HANG : Value.of(INTERRUPTED.name());
    }

    /** Returns whether a change of its key reports that the iteration was interrupted as a rank made no progress. */
    public static boolean isHang(Change change) {
        return change instanceof Change.Written written && written.value().equals(HANG);
    }

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
