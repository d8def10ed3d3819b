package dev.resiliency.inprocess.internal.watch;

/** How long a heartbeat has been silent, less the time in which this process could not see it. */
public final class Silence {
    /** Of {@link System#nanoTime}, which is compared by differences only. */
    private long since;

    /** From {@code start} on at the earliest, whatever the first stamp. */
    public Silence(long start) {
        since = start;
    }

    /** In nanoseconds; 0 where the heartbeat is not in use. */
    public long at(long now, long late, long stamp) {
        since = stamp == HeartbeatFile.NEVER ? now : earlier(now, later(stamp, since + late));
        return now - since;
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    private static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }
}
