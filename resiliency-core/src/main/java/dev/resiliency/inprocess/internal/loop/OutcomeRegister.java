package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.protocol.Outcome;
import dev.resiliency.store.Change;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The outcome of one iteration, as far as this rank knows it: pushed by the store, or the answer to this rank's own claim. */
final class OutcomeRegister implements Consumer<Change> {
    private final Runnable onSettled;
    /** Written by the store's thread; all writers write the same value, which the store settles once. */
    private volatile @Nullable Outcome outcome;
    /** Whether the outcome is that a rank made no progress. Written by the store's thread. */
    private volatile boolean isHang;

    OutcomeRegister(Runnable onSettled) {
        this.onSettled = onSettled;
    }

    @Override
    public void accept(Change change) {
        Outcome pushed = Outcome.in(change);
        isHang = Outcome.isHang(change);
        if (pushed != null) {
            settle(pushed);
        }
    }

    void settle(Outcome settled) {
        outcome = settled;
        onSettled.run();
    }

    /** Returns whether the iteration was interrupted as a rank made no progress: then each says where it stands. */
    boolean isHang() {
        return isHang;
    }

    /** Returns the outcome; null while the iteration is open. */
    @Nullable
    Outcome outcome() {
        return outcome;
    }
}
