package dev.resiliency.inprocess.internal.loop;

import java.time.Duration;

/**
 * Slows down the restarts of a function that repeatedly fails at once. Every rank counts its own failures: if the
 * function fails everywhere, all pause alike; if on one rank, the others wait for it at the barrier. Confined to the
 * monitor thread.
 */
final class BackOff {
    /** An iteration that lasted this long did not fail at once, even without a ping. */
    static final Duration AT_ONCE = Duration.ofSeconds(3);

    /** The number of failures in a row without a pause. */
    static final int FREE = 3;

    static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Duration longestPause;
    private int failuresInARow;

    /**
     * Creates a back-off whose pauses take at most half of {@code barrierTimeout}, for which the others wait for this
     * rank.
     */
    BackOff(Duration barrierTimeout) {
        Duration half = barrierTimeout.dividedBy(2);
        this.longestPause = half.compareTo(LONGEST_PAUSE) < 0 ? half : LONGEST_PAUSE;
    }

    /**
     * Counts an interrupted iteration. One that a fault of another rank cut short says nothing about this rank.
     *
     * @param hasFailed whether this rank failed in it
     * @param lasted the time from its start until its worker had been stopped
     * @return how long to pause before the next iteration
     */
    Duration after(boolean hasFailed, boolean hasPinged, Duration lasted) {
        if (hasPinged || lasted.compareTo(AT_ONCE) >= 0) {
            failuresInARow = 0;
            return Duration.ZERO;
        }
        if (!hasFailed) {
            return Duration.ZERO;
        }
        failuresInARow++;
        if (failuresInARow <= FREE) {
            return Duration.ZERO;
        }
        int doublings = Math.min(failuresInARow - FREE - 1, 10); // enough to reach the longest pause
        Duration pause = FIRST_PAUSE.multipliedBy(1L << doublings);
        return pause.compareTo(longestPause) < 0 ? pause : longestPause;
    }

    /** Returns how many times in a row this rank has failed at once. */
    int failuresInARow() {
        return failuresInARow;
    }
}
