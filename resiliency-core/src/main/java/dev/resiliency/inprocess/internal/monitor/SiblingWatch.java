package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.inprocess.internal.watch.HeartbeatAge;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Decides when the sibling of a rank is lost, where the store keeps no sessions: each monitor process increments a
 * heartbeat in the store, and reads that of the next living rank. In this ring one rank detects the loss of another,
 * whose successor becomes its sibling. Only changes count, timed by this process's own clock: clocks of different hosts
 * are never compared.
 *
 * <p>Not safe for use by several threads.
 */
final class SiblingWatch {
    private static final int NOBODY = -1;

    private final int rank;
    private final long timeout;
    private int sibling = NOBODY;
    private long count;
    private HeartbeatAge heartbeat = new HeartbeatAge(0);

    SiblingWatch(int rank, Duration timeout) {
        this.rank = rank;
        this.timeout = timeout.toNanos();
    }

    /** Returns the rank whose heartbeat to read: the next one in the ring of the living; empty if there is none. */
    OptionalInt siblingAmong(IndexSet living) {
        IndexSet above = living.minus(IndexSet.range(0, rank + 1));
        int next = above.isEmpty() ? living.lowest() : above.lowest();
        return next < 0 || next == rank ? OptionalInt.empty() : OptionalInt.of(next);
    }

    /**
     * Evaluates a sibling's heartbeat.
     *
     * @param observed the rank that {@link #siblingAmong} returned
     * @param heartbeats its count; 0 if it has not begun, which proves nothing
     * @param now a moment of {@link System#nanoTime}
     * @return whether the sibling is lost: its heartbeat had begun, and has not changed for the timeout
     */
    boolean observe(int observed, long heartbeats, long now) {
        if (observed != sibling || heartbeats != count) {
            sibling = observed;
            count = heartbeats;
            heartbeat = new HeartbeatAge(now);
            return false;
        }
        return heartbeats > 0 && heartbeat.at(now) >= timeout;
    }

    /** Discounts the nanoseconds for which this process did not run, in which seeing no heartbeat proves nothing. */
    void discount(long paused) {
        heartbeat.discount(paused);
    }
}
