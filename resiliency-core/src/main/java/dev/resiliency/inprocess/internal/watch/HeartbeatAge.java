package dev.resiliency.inprocess.internal.watch;

/**
 * Measures the time since the last beat, without the time in which the observer itself did not run. Not safe for use by
 * several threads.
 */
public final class HeartbeatAge {
    /** The last beat or excuse. A time of {@link System#nanoTime}, which is compared by differences only, as the next. */
    private long since;
    /** The last beat. */
    private long silentSince;

    /** Measures from {@code start} on, unless a later beat follows. */
    public HeartbeatAge(long start) {
        since = start;
        silentSince = start;
    }

    /** Notes a beat; one that is older than the latest known has no effect. */
    public void beat(long at) {
        excuse(at);
        if (at - silentSince > 0) {
            silentSince = at;
        }
    }

    /** Lets the silence until then not count as age. */
    void excuse(long until) {
        if (until - since > 0) {
            since = until;
        }
    }

    /** Discounts the nanoseconds for which the observer did not run: see {@link PauseDetector}. */
    public void discount(long paused) {
        since += paused;
        silentSince += paused;
    }

    /** Returns the age in nanoseconds; never negative. */
    public long at(long now) {
        return Math.max(0, now - since);
    }

    /** Returns the time of the last beat or excuse, moved forward by the discounted time. */
    long since() {
        return since;
    }

    /** Returns the time of the last beat, excused or not, moved forward by the discounted time. */
    long silentSince() {
        return silentSince;
    }
}
