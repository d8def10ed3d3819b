package dev.resiliency.nccl.internal;

import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.GpuTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call into native code that may never return: it runs in a daemon thread of its own, and whoever waits for it goes on
 * after a limit. No interrupt ends native code, so a call that is stuck keeps its thread.
 */
public final class NativeCall<T> {
    private final String what;
    private final Consumer<? super T> abandoned;
    private final Thread thread;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    private NativeCall(String what, Supplier<T> body, Consumer<? super T> abandoned) {
        this.what = what;
        this.abandoned = abandoned;
        this.thread = new Thread(() -> run(body), "resiliency-" + what.replace(' ', '-'));
        thread.setDaemon(true);
    }

    /**
     * Starts a call.
     *
     * @param what names it in messages and its thread
     * @param abandoned gets the result if nobody waits for it any more
     */
    public static <T> NativeCall<T> start(String what, Supplier<T> body, Consumer<? super T> abandoned) {
        NativeCall<T> call = new NativeCall<>(what, body, abandoned);
        call.thread.start();
        return call;
    }

    /** Starts a call without a result. */
    public static NativeCall<Boolean> start(String what, Runnable body) {
        return start(what, () -> done(body), tooLate -> {});
    }

    /** Starts a call without a result, and waits for it. */
    public static void run(String what, Duration limit, Runnable body) throws InterruptedException {
        start(what, body).await(limit);
    }

    private static Boolean done(Runnable body) {
        body.run();
        return Boolean.TRUE;
    }

    @SuppressWarnings("CatchingUnchecked") // whatever is thrown belongs to those who wait
    private void run(Supplier<T> body) {
        try {
            T value = body.get();
            // Guards against the race with a waiter that gives up: exactly one of the two completes the future.
            if (!result.complete(value)) {
                abandoned.accept(value);
            }
        } catch (Throwable thrown) {
            result.completeExceptionally(thrown);
        }
    }

    /**
     * Waits for the result. For one waiter only: if it gives up, the result is abandoned.
     *
     * @throws GpuTimeoutException if it has not ended within the limit; says where it stands
     */
    public T await(Duration limit) throws InterruptedException {
        try {
            return get(limit);
        } catch (TimeoutException e) {
            GpuTimeoutException late = late(limit);
            if (result.completeExceptionally(late)) {
                throw late;
            }
            return settled(); // it has come in the last moment
        } catch (InterruptedException e) {
            if (!result.completeExceptionally(e) && !result.isCompletedExceptionally()) {
                abandoned.accept(result.join());
            }
            throw e;
        }
    }

    /**
     * Waits for the end. For any number of waiters: if one gives up, it goes on for the others.
     *
     * @throws GpuTimeoutException if it has not ended within the limit; says where it stands
     */
    public void awaitEnd(Duration limit) throws InterruptedException {
        try {
            get(limit);
        } catch (TimeoutException e) {
            throw late(limit);
        }
    }

    private T settled() throws InterruptedException {
        try {
            return get(Duration.ZERO);
        } catch (TimeoutException e) {
            throw new IllegalStateException("a result that is there does not time out", e);
        }
    }

    private T get(Duration limit) throws InterruptedException, TimeoutException {
        try {
            return result.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /** What was thrown, in the thread of the waiter. */
    private RuntimeException failure(@Nullable Throwable thrown) {
        if (thrown instanceof GpuException e) {
            return e;
        }
        return new GpuException(what + " has failed: " + thrown, thrown);
    }

    private GpuTimeoutException late(Duration limit) {
        return new GpuTimeoutException(
                what, limit, "thread " + thread.getName() + " stands at " + List.of(thread.getStackTrace()));
    }
}
