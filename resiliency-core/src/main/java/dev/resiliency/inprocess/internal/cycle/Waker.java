package dev.resiliency.inprocess.internal.cycle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Lets the thread of a duty cycle sleep until something has happened. A call of {@link #wake} is never lost. */
public final class Waker {
    private final Semaphore permits = new Semaphore(0);

    /** Ends the current sleep, or the next one at once. From any thread. */
    public void wake() {
        permits.release();
    }

    /**
     * Wakes when the future is done, and returns the future itself. Does not return the dependent stage: that one is
     * done only after the wake, so the woken thread would find it unfinished and keep sleeping.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the stage cannot fail
    public <F extends CompletableFuture<?>> F wakeWhenDone(F future) {
        future.whenComplete((result, error) -> wake());
        return future;
    }

    /** Sleeps until woken, for at most this many nanoseconds; returns whether it was. */
    public boolean sleep(long nanos) throws InterruptedException {
        boolean isWoken = permits.tryAcquire(nanos, TimeUnit.NANOSECONDS);
        if (isWoken) {
            permits.drainPermits();
        }
        return isWoken;
    }
}
