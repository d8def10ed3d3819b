package dev.resiliency.inprocess.internal.loop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Reads futures without waiting for them. */
final class Futures {
    private Futures() {}

    /** Returns what the future failed with; null if it has not, or was cancelled. */
    static @Nullable Throwable failureOf(CompletableFuture<?> future) {
        if (!future.isCompletedExceptionally() || future.isCancelled()) {
            return null;
        }
        return future.handle((result, error) ->
                        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error)
                .join();
    }

    /** Throws what the future failed with, if it has. */
    static void throwFailureOf(CompletableFuture<?> future) {
        if (future.isCompletedExceptionally()) {
            resultOf(future);
        }
    }

    /** Returns the result of a future that is done; throws what it failed with as it is. */
    static <T> T resultOf(CompletableFuture<T> done) {
        try {
            return done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
