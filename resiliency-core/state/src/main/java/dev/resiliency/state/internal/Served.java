package dev.resiliency.state.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a rank serves at the moment. Safe for use by many threads. */
final class Served {
    /** Guarded by this. */
    private final Map<Copied, Chunks> chunks = new HashMap<>();

    synchronized void put(Copied name, Chunks its) {
        chunks.put(name, its);
        notifyAll();
    }

    /** Serves these no longer: connections that are in use may still send them. */
    synchronized void removeIf(Predicate<Copied> which) {
        chunks.keySet().removeIf(which);
    }

    /** Waits until this is served, and marks it as in use; null if it does not come. */
    synchronized @Nullable Chunks acquire(Copied name, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Chunks found = chunks.get(name);
        for (long left = limit.toNanos(); found == null && left > 0; left = deadline - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
            found = chunks.get(name);
        }
        if (found != null) {
            found.acquire();
        }
        return found;
    }
}
