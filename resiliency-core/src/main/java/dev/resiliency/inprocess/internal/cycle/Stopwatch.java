package dev.resiliency.inprocess.internal.cycle;

import java.time.Duration;

/** Measures the time since its creation. */
public final class Stopwatch {
    private final Clock clock;
    private final long start;

    public Stopwatch(Clock clock) {
        this.clock = clock;
        this.start = clock.nanoTime();
    }

    /** Returns the time since the start. */
    public Duration elapsed() {
        return Duration.ofNanos(clock.nanoTime() - start);
    }

    public boolean hasReached(Duration limit) {
        return nanosUntil(limit) <= 0;
    }

    /** Returns how many nanoseconds are left until the limit; negative once it has passed. */
    public long nanosUntil(Duration limit) {
        return start + limit.toNanos() - clock.nanoTime();
    }
}
