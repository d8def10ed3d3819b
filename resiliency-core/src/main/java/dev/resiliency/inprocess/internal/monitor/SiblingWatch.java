package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.inprocess.internal.watch.HeartbeatAge;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Decides when the sibling of a rank is lost, where the store keeps no sessions: each monitor process counts up a
 * heartbeat in the store, and looks at that of the next rank that lives. A ring: who is lost is found by one other, and
 * the one behind it becomes that one's sibling. Only changes count, seen on this process's own clock: clocks of different
 * hosts are never compared.
 *
 * <p>Not safe for use by several threads.
 */
final class SiblingWatch {
    private static final int NOBODY = -1;

    private final int rank;
    private final int worldSize;
    private final long timeout;
    private int sibling = NOBODY;
    private long count;
    private HeartbeatAge heartbeat = new HeartbeatAge(0);

    SiblingWatch(int rank, int worldSize, Duration timeout) {
        this.rank = rank;
        this.worldSize = worldSize;
        this.timeout = timeout.toNanos();
    }

    /** Whose heartbeat to look at: the next rank that lives, after the last that of the first; empty if there is none. */
    OptionalInt siblingAmong(IndexSet terminated) {
        for (int step = 1; step < worldSize; step++) {
            int next = (rank + step) % worldSize;
            if (!terminated.contains(next)) {
                return OptionalInt.of(next);
            }
        }
        return OptionalInt.empty();
    }

    /**
     * Takes note of a sibling's heartbeat.
     *
     * @param observed whom {@link #siblingAmong} named
     * @param heartbeats what it has counted up to; 0 if it has not begun, which says nothing about it
     * @param now a moment of {@link System#nanoTime}
     * @return whether it is lost: it had begun, and has not changed for the timeout
     */
    boolean isLost(int observed, long heartbeats, long now) {
        if (observed != sibling || heartbeats != count) {
            sibling = observed;
            count = heartbeats;
            heartbeat = new HeartbeatAge(now);
            return false;
        }
        return heartbeats > 0 && heartbeat.at(now) >= timeout;
    }

    /** Discounts the nanoseconds for which this process did not run: that it saw nothing then proves nothing. */
    void discount(long paused) {
        heartbeat.discount(paused);
    }
}
