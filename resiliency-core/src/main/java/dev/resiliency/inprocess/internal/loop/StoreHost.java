package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.store.StoreLostException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rank 0 as the host of the store: when it has left, and the store ends with its process, that is why the store was lost. */
final class StoreHost implements Consumer<Interruption> {
    private final boolean isHere;
    /** Why rank 0 has gone. Written by the store's thread, before the store is lost. */
    private volatile @Nullable Interruption end;

    /** @param isHere whether this process hosts the store */
    StoreHost(boolean isHere) {
        this.isHere = isHere;
    }

    /** Returns whether this process hosts the store, so that the job ends with it. */
    boolean isHere() {
        return isHere;
    }

    @Override
    public void accept(Interruption interruption) {
        end = interruption;
    }

    /** Returns the same with its true reason, if it is the loss of a store whose host has gone. */
    Throwable explain(Throwable reason) {
        Interruption known = end;
        return known != null && reason instanceof StoreLostException lost
                ? new StoreLostException(
                        lost.address(),
                        "store at %s was lost with rank 0, which hosted it and has left the job: %s"
                                .formatted(lost.address(), known),
                        lost)
                : reason;
    }
}
