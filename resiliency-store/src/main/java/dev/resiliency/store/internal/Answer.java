package dev.resiliency.store.internal;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The answer to a request. */
public final class Answer extends GuardedFuture<List<@Nullable Object>> {

    /**
     * An answer that is to come.
     *
     * @param isOwnThread whether the thread that asks is the one that brings it
     */
    public Answer(BooleanSupplier isOwnThread) {
        super(isOwnThread);
    }
}
