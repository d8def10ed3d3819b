package dev.resiliency.state.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Limits how many bytes pass in a second. Safe for use by many threads. */
final class Pace {
    private final long bytesPerSecond;
    private final LongSupplier nanoTime;
    /** When the bytes that have passed so far would have passed at the limit. Guarded by this. */
    private long due;

    /** @param nanoTime the clock, as {@link System#nanoTime} */
    Pace(long bytesPerSecond, LongSupplier nanoTime) {
        this.bytesPerSecond = bytesPerSecond;
        this.nanoTime = nanoTime;
        this.due = nanoTime.getAsLong();
    }

    static Pace unlimited() {
        return new Pace(Long.MAX_VALUE, System::nanoTime);
    }

    /** Waits until so many bytes may pass. */
    void await(int bytes) throws InterruptedException {
        long wait = reserve(bytes);
        if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
        }
    }

    /** Lets so many bytes pass; returns how many nanoseconds to wait before. */
    synchronized long reserve(int bytes) {
        long now = nanoTime.getAsLong();
        long wait = Math.max(0, due - now); // a pause does not allow for a burst afterwards
        due = now + wait + (long) ((double) bytes / (double) bytesPerSecond * (double) TimeUnit.SECONDS.toNanos(1));
        return wait;
    }
}
