package dev.resiliency.inprocess.internal.loop;

import java.time.Duration;

/**
 * What a process that has joined costs the job until it makes its first step: one that has cost it two restarts leaves,
 * so that the others continue without it, and waits before it joins again. It lives as long as the call of the wrapper.
 * Confined to the thread of the restart loop, of which there is one at a time.
 */
public final class Probation {
    /** The restarts that a newcomer may cost. */
    static final int RESTARTS = 2;

    private static final int LONGEST_WAIT = 8;

    private int cost;
    private boolean isPassed;
    private int failures;

    /** Begins anew, for a process that comes to the job, for the first time or again. */
    public void begin() {
        cost = 0;
        isPassed = false;
    }

    /**
     * Counts an interrupted iteration of a process that has joined.
     *
     * @param hasBegun whether it made a step in it
     * @param isCause whether the iteration was interrupted because of this process
     * @return whether the process is to leave and wait
     */
    boolean fails(boolean hasBegun, boolean isCause) {
        isPassed |= hasBegun;
        if (isPassed || !isCause) {
            return false;
        }
        cost++;
        if (cost < RESTARTS) {
            return false;
        }
        failures++;
        return true;
    }

    /**
     * Returns how long to wait before this process joins: longer after each probation that it has failed.
     *
     * @param unit the time after the first one
     */
    Duration holdBack(Duration unit) {
        return failures == 0
                ? Duration.ZERO
                : unit.multipliedBy(Math.min(1L << Math.min(failures - 1, 10), LONGEST_WAIT));
    }
}
