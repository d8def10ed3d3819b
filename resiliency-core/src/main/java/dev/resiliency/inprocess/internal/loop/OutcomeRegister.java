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

    OutcomeRegister(Runnable onSettled) {
        this.onSettled = onSettled;
    }

    @Override
    public void accept(Change change) {
        Outcome pushed = Outcome.in(change);
        if (pushed != null) {
            settle(pushed);
        }
    }

    void settle(Outcome settled) {
        outcome = settled;
        onSettled.run();
    }

    /** Returns the outcome; null while the iteration is open. */
    @Nullable
    Outcome outcome() {
        return outcome;
    }
}
