package dev.resiliency.inprocess.internal.watch;

/**
 * How long a heartbeat has been silent, less the time in which the observer itself did not run. Not safe for use by
 * several threads.
 */
public final class HeartbeatAge {
    /** Of {@link System#nanoTime}, which is compared by differences only. */
    private long since;

    /** Counts from {@code start} on, unless a later beat follows. */
    public HeartbeatAge(long start) {
        since = start;
    }

    /** Takes note of a beat; one that is older than the last known changes nothing. */
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

    /** Returns the moment of the last beat, moved on by what was discounted. */
    long since() {
        return since;
    }
}
