package dev.resiliency.store.spi;

import dev.resiliency.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** How a blocking call waits for the answer of an asynchronous one. */
final class BlockingAnswer {
    private BlockingAnswer() {}

    /** Waits for the answer, whose limit the store keeps. An interrupt withdraws the request. */
    static <T> T await(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            throw interrupted;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof StoreException cause) {
                // Made on the store's thread for this one answer: the place that matters is the caller's.
                cause.setStackTrace(new Throwable().getStackTrace());
                throw cause;
            }
            throw new StoreException("the store failed: " + failed.getCause(), failed.getCause());
        }
    }
}
