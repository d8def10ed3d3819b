package dev.resiliency.inprocess.internal.watch;

/**
 * Measures the time since the last beat, without the time in which the observer itself did not run. Not safe for use by
 * several threads.
 */
public final class HeartbeatAge {
    /** A time of {@link System#nanoTime}, which is compared by differences only. */
    private long since;

    /** Measures from {@code start} on, unless a later beat follows. */
    public HeartbeatAge(long start) {
        since = start;
    }

    /** Notes a beat; one that is older than the latest known has no effect. */
    public void beat(long at) {
        if (at - since > 0) {
            since = at;
        }
    }

    /** Discounts the nanoseconds for which the observer did not run: see {@link PauseDetector}. */
    public void discount(long paused) {
        since += paused;
    }

    /** Returns the age in nanoseconds; never negative. */
    public long at(long now) {
        return Math.max(0, now - since);
    }

    /** Returns the time of the last beat, moved forward by the discounted time. */
    long since() {
        return since;
    }
}
