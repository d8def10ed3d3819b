package dev.resiliency.store.spi;

import dev.resiliency.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waits for the answer to an asynchronous request on behalf of a blocking call. */
final class BlockingAnswer {
    private BlockingAnswer() {}

    /** Waits for the answer; the store enforces its limit. An interrupt withdraws the request. */
    static <T> T await(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            throw interrupted;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof StoreException cause) {
                // The exception was made on the store's thread for this one answer: the stack trace that matters is the
                // caller's.
                cause.setStackTrace(new Throwable().getStackTrace());
                throw cause;
            }
            throw new StoreException("the store failed: " + failed.getCause(), failed.getCause());
        }
    }
}
