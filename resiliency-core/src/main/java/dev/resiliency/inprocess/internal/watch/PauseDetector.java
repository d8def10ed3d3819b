package dev.resiliency.inprocess.internal.watch;

import java.time.Duration;

/**
 * Detects for how long the observer of a heartbeat did not run: it sees no beat meanwhile, so that time must not count
 * against the thread that it watches. Yet every check counts for something: on a host that is always busy, limits are
 * reached later, but they are reached. Not safe for use by several threads.
 */
public final class PauseDetector {
    /** A check counts for at least this fraction of the limit. */
    private static final int CHECKS_PER_LIMIT = 20;

    private final long counted;
    private long lastCheck;

    /**
     * Starts at {@code now}, a time of {@link System#nanoTime}.
     *
     * @param interval how often a check is due
     * @param limit the shortest limit that the checks enforce
     */
    public PauseDetector(long now, Duration interval, Duration limit) {
        this.lastCheck = now;
        this.counted = Math.max(interval.toNanos(), limit.toNanos() / CHECKS_PER_LIMIT);
    }

    /** Returns the nanoseconds before this check for which the observer did not run. Must be called at every check. */
    public long check(long now) {
        long paused = Math.max(0, now - lastCheck - counted);
        lastCheck = now;
        return paused;
    }
}
