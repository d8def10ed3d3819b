package dev.resiliency.examples.bench.chaos;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Passes events of other threads to the one that runs the job. */
final class Inbox {
    /** Some conditions change without an event. */
    private static final Duration LOOK = Duration.ofMillis(20);

    private final BlockingQueue<Runnable> happenings = new LinkedBlockingQueue<>();
    private final BooleanSupplier isCancelled;

    /** Cancels all waiting. */
    Inbox(BooleanSupplier isCancelled) {
        this.isCancelled = isCancelled;
    }

    boolean isCancelled() {
        return isCancelled.getAsBoolean();
    }

    /** Adds an event for the waiting thread. Safe for use by many threads. */
    void add(Runnable happening) {
        happenings.add(happening);
    }

    /** Handles events until the condition holds; returns false if it does not within the limit. */
    boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            for (Runnable next = happenings.poll(); next != null; next = happenings.poll()) {
                next.run();
            }
            if (condition.getAsBoolean()) {
                return true;
            }
            long rest = deadline - System.nanoTime();
            if (rest <= 0 || isCancelled.getAsBoolean()) {
                return false;
            }
            Runnable next = happenings.poll(Math.min(rest, LOOK.toNanos()), TimeUnit.NANOSECONDS);
            if (next != null) {
                next.run();
            }
        }
    }
}
