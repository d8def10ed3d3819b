package dev.resiliency.store.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A future, and all those derived from it, that refuse to be awaited on the thread that would complete them, which
 * would hang.
 */
class GuardedFuture<T extends @Nullable Object> extends CompletableFuture<T> {
    private final BooleanSupplier isOwnThread;

    GuardedFuture(BooleanSupplier isOwnThread) {
        this.isOwnThread = isOwnThread;
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new GuardedFuture<>(isOwnThread);
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        checkThread();
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        checkThread();
        return super.get(timeout, unit);
    }

    @Override
    public T join() {
        checkThread();
        return super.join();
    }

    private void checkThread() {
        if (!isDone() && isOwnThread.getAsBoolean()) {
            throw new IllegalStateException("a listener must not wait for the store, which calls it on its own thread:"
                    + " use submit or send, or another thread");
        }
    }
}
