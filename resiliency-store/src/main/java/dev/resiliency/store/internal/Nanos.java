package dev.resiliency.store.internal;

import java.time.Duration;

/** Converts durations to nanoseconds for timers. */
public final class Nanos {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private Nanos() {}

    /** Returns the nanoseconds, clamped between 0 and the 292 years that a long can hold. */
    public static long of(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST) > 0 ? Long.MAX_VALUE : duration.toNanos();
    }
}
