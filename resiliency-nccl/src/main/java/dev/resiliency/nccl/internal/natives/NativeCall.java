package dev.resiliency.nccl.internal.natives;

import dev.resiliency.nccl.GpuException;
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
 * A call into native code that may never return. It runs in a daemon thread of its own, and those who wait for it continue
 * after a limit. No interrupt ends native code, so a call that is stuck keeps its thread.
 *
 * <p>Threads: named after what they do, such as {@code resiliency-creation-of-…} and {@code resiliency-abort-of-…}.
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
     * @param abandoned receives the result if its waiter has given up
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

    @SuppressWarnings("CatchingUnchecked") // rethrown to those who wait
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
     * Waits for the result. For a single waiter: if it gives up, the result is abandoned.
     *
     * @throws GpuException if the call failed, or did not end within the limit; then its message has the stack
     */
    public T await(Duration limit) throws InterruptedException {
        try {
            return get(limit);
        } catch (TimeoutException e) {
            GpuException late = late(limit);
            if (result.completeExceptionally(late)) {
                throw late;
            }
            return settled(); // the call ended at the last moment
        } catch (InterruptedException e) {
            if (!result.completeExceptionally(e) && !result.isCompletedExceptionally()) {
                abandoned.accept(result.join());
            }
            throw e;
        }
    }

    /**
     * Waits for the end. For any number of waiters: if one gives up, the others still wait.
     *
     * @throws GpuException if the call failed, or did not end within the limit; then its message has the stack
     */
    public void awaitEnd(Duration limit) throws InterruptedException {
        if (!endsWithin(limit)) {
            throw late(limit);
        }
    }

    /**
     * Waits for the end, and returns whether it came within the limit. For any number of waiters.
     *
     * @throws GpuException if the call failed
     */
    public boolean endsWithin(Duration limit) throws InterruptedException {
        try {
            get(limit);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private T settled() throws InterruptedException {
        try {
            return get(Duration.ZERO);
        } catch (TimeoutException e) {
            throw new IllegalStateException("waiting for a completed result timed out", e);
        }
    }

    private T get(Duration limit) throws InterruptedException, TimeoutException {
        try {
            return result.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /** Returns the exception for the waiter. */
    private RuntimeException failure(@Nullable Throwable thrown) {
        if (thrown instanceof GpuException e) {
            return e;
        }
        return new GpuException(what + " failed: " + thrown, thrown);
    }

    private GpuException late(Duration limit) {
        return new GpuException("%s has not ended within %d ms; thread %s is at %s"
                .formatted(what, limit.toMillis(), thread.getName(), List.of(thread.getStackTrace())));
    }
}
