package dev.resiliency.store.internal;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The answer to a request. */
public final class Answer extends GuardedFuture<List<@Nullable Object>> {

    /**
     * Creates an answer that is still to come.
     *
     * @param isOwnThread whether the calling thread is the one that completes it
     */
    public Answer(BooleanSupplier isOwnThread) {
        super(isOwnThread);
    }
}
