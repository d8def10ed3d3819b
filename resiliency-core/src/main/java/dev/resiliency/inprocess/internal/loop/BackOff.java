package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.worker.Faults;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Slows down the restarts of a function that repeatedly fails and comes no further than before. Every rank counts its own failures: if the
 * function fails everywhere, all pause alike; if on one rank, the others wait for it at the barrier. Confined to the
 * monitor thread.
 */
final class BackOff {
    /** An iteration without steps that lasted this long did not fail at once. */
    static final Duration AT_ONCE = Duration.ofSeconds(3);

    /** The number of failures in a row without a pause. */
    static final int FREE = 3;

    static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Duration longestPause;
    private int failuresInARow;
    /** The latest attempt that says something about this rank; null before the first. */
    private @Nullable Attempt last;

    /**
     * Creates a back-off whose pauses take at most half of {@code barrierTimeout}, for which the others wait for this
     * rank.
     */
    BackOff(Duration barrierTimeout) {
        Duration half = barrierTimeout.dividedBy(2);
        this.longestPause = half.compareTo(LONGEST_PAUSE) < 0 ? half : LONGEST_PAUSE;
    }

    /**
     * One iteration, as far as it says how far the function has come. Attempts are compared with each other, since each may ping before
     * its first step; by where they begin, since what one has done after that and lost, the next one does again; and by what live state
     * has kept of that.
     *
     * @param step the first safe point that it has passed, or the step that live state has come to, if that is later; negative if there
     *     is neither
     * @param pings the number of its pings
     * @param lasted the time from its start until its worker had been stopped
     */
    record Attempt(long step, long pings, Duration lasted) {
        /** Returns whether it has come further than another one: by steps if there are any, else by time, and by pings if there are any. */
        private boolean isBeyond(@Nullable Attempt other) {
            long stepBefore = other == null ? -1 : other.step;
            if (step >= 0 || stepBefore >= 0) {
                return step > stepBefore;
            }
            long pingsBefore = other == null ? 0 : other.pings;
            return lasted.compareTo(AT_ONCE) >= 0 && (pingsBefore == 0 || pings > pingsBefore);
        }
    }

    /**
     * Counts an interrupted iteration. One that a fault of another rank cut short says nothing about this rank, unless it
     * came further than the one before.
     *
     * @param hasFailed whether this rank failed in it
     * @return how long to pause before the next iteration
     */
    Duration after(boolean hasFailed, Attempt attempt) {
        if (attempt.isBeyond(last)) {
            last = attempt;
            failuresInARow = 0;
            return Duration.ZERO;
        }
        if (!hasFailed) {
            return Duration.ZERO;
        }
        last = attempt;
        failuresInARow++;
        if (failuresInARow <= FREE) {
            return Duration.ZERO;
        }
        int doublings = Math.min(failuresInARow - FREE - 1, 10); // enough to reach the longest pause
        Duration pause = FIRST_PAUSE.multipliedBy(1L << doublings);
        return pause.compareTo(longestPause) < 0 ? pause : longestPause;
    }

    /**
     * Returns whether no further restart in this process can help: classes that do not fit together fail again and again, as the virtual
     * machine keeps what it has found of them.
     *
     * @param fault what the function has failed with last; null if it has not
     */
    boolean isInVain(@Nullable Throwable fault) {
        return failuresInARow > FREE && fault != null && Faults.isOfLinkage(fault);
    }

    /** Returns how many times in a row this rank has failed without coming further than before. */
    int failuresInARow() {
        return failuresInARow;
    }
}
