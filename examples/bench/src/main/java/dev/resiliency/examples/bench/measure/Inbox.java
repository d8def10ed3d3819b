package dev.resiliency.examples.bench.measure;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Passes events of other threads to the one that runs a job. */
public final class Inbox {
    /** Some conditions change without an event. */
    private static final Duration LOOK = Duration.ofMillis(20);

    private static final Duration SETTLING_LOOK = Duration.ofSeconds(1);

    private final BlockingQueue<Runnable> happenings = new LinkedBlockingQueue<>();
    private final BooleanSupplier isCancelled;

    /** Creates one whose waiting nobody cancels. */
    public Inbox() {
        this(() -> false);
    }

    /** Cancels all waiting once that is true. */
    public Inbox(BooleanSupplier isCancelled) {
        this.isCancelled = isCancelled;
    }

    /** Returns whether waiting is cancelled. */
    public boolean isCancelled() {
        return isCancelled.getAsBoolean();
    }

    /** Adds an event for the waiting thread. Safe for use by many threads. */
    public void add(Runnable happening) {
        happenings.add(happening);
    }

    /** Handles events until the condition holds; returns false if it does not within the limit. */
    public boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
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

    /**
     * Handles events until the condition holds.
     *
     * @throws IllegalStateException if it does not within the limit; says {@code what} was awaited
     */
    public void require(String what, Duration limit, BooleanSupplier condition) throws InterruptedException {
        if (!await(limit, condition)) {
            throw new IllegalStateException("not within %d s: %s".formatted(limit.toSeconds(), what));
        }
    }

    /**
     * Waits until processes have warmed up, as those of a job that has run for a while: until they use less processor time
     * than this in a second.
     */
    public void requireSettled(Supplier<Duration> processorTime, Duration settled, Duration limit)
            throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Duration before = processorTime.get();
        while (System.nanoTime() - deadline < 0) {
            await(SETTLING_LOOK, () -> false);
            Duration now = processorTime.get();
            if (now.minus(before).compareTo(settled) < 0) {
                return;
            }
            before = now;
        }
        throw new IllegalStateException("the processes are still busy after " + limit + "; is the machine busy?");
    }
}
