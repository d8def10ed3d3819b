package dev.resiliency.inprocess.internal.watch;

import java.time.Duration;

/**
 * Decides what to do about a rank that hangs: interrupt its iteration, then ask its process to end, then kill it. Reads
 * no clock: the caller passes the times.
 */
public final class HangLimits {
    private final long softLimit;
    private final long hardLimit;
    private final long grace;
    /** The iteration that was over the soft limit at the last check. */
    private int suspected = HeartbeatFile.NONE;

    private int interrupted = HeartbeatFile.NONE;
    private boolean asked;
    private boolean killed;
    private long askedAt;

    public HangLimits(Duration softTimeout, Duration hardTimeout, Duration terminationGraceTime) {
        this.softLimit = softTimeout.toNanos();
        this.hardLimit = hardTimeout.toNanos();
        this.grace = terminationGraceTime.toNanos();
    }

    /** The next measure. */
    public enum Measure {
        /** Does nothing: the rank makes progress, or the measure has been taken. */
        NOTHING,
        /** Interrupts the iteration. */
        INTERRUPT,
        /** Sends SIGCONT and SIGTERM. */
        TERMINATE,
        /** Sends SIGKILL. */
        KILL
    }

    /**
     * Returns what to do now. Each iteration is interrupted once, and each of the two signals is sent once; the first
     * is final. An iteration must exceed the limit at two checks in a row: when a whole host wakes up, this gives the
     * rank time for a new stamp.
     *
     * @param watched the iteration whose function is watched, or {@link HeartbeatFile#NONE}
     * @param silent the age of the older heartbeat, in nanoseconds
     */
    public Measure decide(long now, int watched, long silent) {
        if (asked) {
            if (killed || now - askedAt < grace) {
                return Measure.NOTHING;
            }
            killed = true;
            return Measure.KILL;
        }
        if (silent >= hardLimit) {
            asked = true;
            askedAt = now;
            return Measure.TERMINATE;
        }
        int suspect = silent >= softLimit ? watched : HeartbeatFile.NONE;
        boolean again = suspect == suspected;
        suspected = suspect;
        if (suspect == HeartbeatFile.NONE || suspect == interrupted || !again) {
            return Measure.NOTHING;
        }
        interrupted = suspect;
        return Measure.INTERRUPT;
    }
}
