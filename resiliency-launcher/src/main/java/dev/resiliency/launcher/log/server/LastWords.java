package dev.resiliency.launcher.log.server;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long an end waits for lines that are still on their way: as long as some arrive every now and then, but not for ever. Confined
 * to one thread.
 */
final class LastWords {
    static final Duration STANDSTILL = Duration.ofSeconds(30);
    static final Duration LIMIT = Duration.ofMinutes(2);

    private final LongSupplier clock;
    private final long end;
    private long progress;
    /** When progress was last seen, at first the beginning. */
    private long seen;

    /**
     * Begins to wait.
     *
     * @param progress a number that changes when lines arrive
     * @param clock in nanoseconds
     */
    LastWords(long progress, LongSupplier clock) {
        this.progress = progress;
        this.clock = clock;
        seen = clock.getAsLong();
        end = seen + LIMIT.toNanos();
    }

    /** Returns for how long to wait on unless there is progress again; zero or negative if waiting is of no use any more. */
    Duration left(long newProgress) {
        long now = clock.getAsLong();
        if (newProgress != progress) {
            progress = newProgress;
            seen = now;
        }
        return Duration.ofNanos(Math.min(seen + STANDSTILL.toNanos() - now, end - now));
    }
}
