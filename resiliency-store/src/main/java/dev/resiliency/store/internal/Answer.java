package dev.resiliency.store.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The answer to a request. The thread that would bring it must not wait for it: it refuses, where it would hang. */
public final class Answer extends CompletableFuture<List<@Nullable Object>> {
    private final BooleanSupplier isOwnThread;

    /**
     * An answer that is to come.
     *
     * @param isOwnThread whether the thread that asks is the one that brings it
     */
    public Answer(BooleanSupplier isOwnThread) {
        this.isOwnThread = isOwnThread;
    }

    @Override
    public List<@Nullable Object> get() throws InterruptedException, ExecutionException {
        checkThread();
        return super.get();
    }

    @Override
    public List<@Nullable Object> get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        checkThread();
        return super.get(timeout, unit);
    }

    @Override
    public List<@Nullable Object> join() {
        checkThread();
        return super.join();
    }

    private void checkThread() {
        if (!isDone() && isOwnThread.getAsBoolean()) {
            throw new IllegalStateException("a listener may not wait for the store, on whose own thread it is called:"
                    + " use submit or send, or another thread");
        }
    }
}
