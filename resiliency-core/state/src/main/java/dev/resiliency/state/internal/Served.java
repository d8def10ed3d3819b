package dev.resiliency.state.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a rank serves at the moment: later versions come after earlier ones. Safe for use by many threads. */
final class Served {
    /** Guarded by this. */
    private final Map<Copied, Chunks> chunks = new HashMap<>();
    /** The latest version that is served no longer. Guarded by this. */
    private Version removed = Version.NONE;

    synchronized void put(Copied name, Chunks its) {
        chunks.put(name, its);
        notifyAll();
    }

    /** Serves these no longer: connections that are in use may still send them. */
    synchronized void removeIf(Predicate<Copied> which) {
        for (Copied each : List.copyOf(chunks.keySet())) {
            if (which.test(each)) {
                chunks.remove(each);
                removed = each.version().compareTo(removed) > 0 ? each.version() : removed;
            }
        }
        notifyAll();
    }

    /** Waits until this is served, and marks it as in use; null if it does not come, or is served no longer. */
    synchronized @Nullable Chunks acquire(Copied name, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Chunks found = chunks.get(name);
        for (long left = limit.toNanos();
                found == null && left > 0 && comes(name);
                left = deadline - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
            found = chunks.get(name);
        }
        if (found != null) {
            found.acquire();
        }
        return found;
    }

    /** Returns whether it may yet be served. */
    private synchronized boolean comes(Copied name) {
        return name.version().compareTo(removed) > 0;
    }
}
