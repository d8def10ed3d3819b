package dev.resiliency.inprocess.internal.watch;

import java.time.Duration;

/**
 * How late each look of this process comes. While it does not run itself it sees no sign of life, so that time is not
 * held against those whom it watches. Yet every look counts for something: on a host that is always busy the limits are
 * reached later, but they are reached.
 */
public final class Lateness {
    /** At the least so many looks lie within a limit. */
    private static final int LOOKS = 20;

    private final long counted;
    private long lastLook;

    /**
     * @param interval how often a look is due
     * @param limit the shortest limit that the looks are for
     */
    public Lateness(long now, Duration interval, Duration limit) {
        this.lastLook = now;
        this.counted = Math.max(interval.toNanos(), limit.toNanos() / LOOKS);
    }

    /** To be called at every look: by how many nanoseconds it came later than counts. */
    public long at(long now) {
        long late = Math.max(0, now - lastLook - counted);
        lastLook = now;
        return late;
    }
}
