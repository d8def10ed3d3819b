package dev.resiliency.launcher.log.server;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long an end waits for lines that are still on their way: as long as some arrive every now and then, but not for ever. Confined
 * to one thread.
 */
final class Linger {
    static final Duration STANDSTILL = Duration.ofSeconds(30);
    static final Duration LIMIT = Duration.ofMinutes(2);
    /** A node whose ranks ended at once has connected by then, unless it cannot. */
    static final Duration ARRIVAL = Duration.ofSeconds(10);
    /** A node that has just connected has proved by then that it belongs to the job; a stranger has not. */
    static final Duration MOMENT = Duration.ofSeconds(2);

    private final LongSupplier clock;
    private final long begin;
    private long progress;
    /** When progress was last seen, at first the beginning. */
    private long seen;

    /**
     * Begins to wait.
     *
     * @param progress a number that changes when lines arrive
     * @param clock in nanoseconds
     */
    Linger(long progress, LongSupplier clock) {
        this.progress = progress;
        this.clock = clock;
        begin = clock.getAsLong();
        seen = begin;
    }

    /** Returns for how long to wait on unless there is progress again; zero or negative if waiting is of no use any more. */
    Duration left(long newProgress) {
        long now = clock.getAsLong();
        if (newProgress != progress) {
            progress = newProgress;
            seen = now;
        }
        return Duration.ofNanos(Math.min(seen + STANDSTILL.toNanos() - now, begin + LIMIT.toNanos() - now));
    }

    /**
     * Returns whether to wait on.
     *
     * @param members how many connections belong to the job
     * @param silent how many nodes of the job have sent nothing yet
     * @param connections how many there are, those that have proved nothing yet included
     */
    boolean mayCome(long newProgress, int members, int silent, int connections) {
        boolean isOver = left(newProgress).toNanos() <= 0;
        return !isOver && (members > 0 || (silent > 0 && isWithin(ARRIVAL)) || (connections > 0 && isWithin(MOMENT)));
    }

    private boolean isWithin(Duration limit) {
        return clock.getAsLong() - begin < limit.toNanos();
    }
}
