package dev.resiliency.store.internal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs deliveries in the order in which they were put, one at a time, on the thread that drains it first. */
final class Mailbox {
    private final Queue<Runnable> deliveries = new ConcurrentLinkedQueue<>();
    private final AtomicInteger undelivered = new AtomicInteger();
    /** The thread that is draining. Written by that thread. */
    private volatile @Nullable Thread drainer;

    /** Adds a delivery, which must not throw. */
    void put(Runnable delivery) {
        deliveries.add(delivery);
    }

    /**
     * Runs the pending deliveries. If another thread, or a caller further up this stack, is already draining, it runs
     * these, too.
     */
    void drain() {
        if (undelivered.getAndIncrement() > 0) {
            return;
        }
        do {
            drainer = Thread.currentThread();
            for (Runnable delivery = deliveries.poll(); delivery != null; delivery = deliveries.poll()) {
                delivery.run();
            }
            drainer = null; // before the count, from which on another thread may drain
        } while (undelivered.decrementAndGet() > 0);
    }

    /** Returns whether the calling thread runs a delivery, so that those behind it wait for its end. */
    boolean isDrainedByThisThread() {
        return drainer == Thread.currentThread();
    }
}
