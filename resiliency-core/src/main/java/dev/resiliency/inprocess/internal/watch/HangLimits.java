package dev.resiliency.inprocess.internal.watch;

import java.time.Duration;

/**
 * Decides what is done about a rank that hangs: its iteration is interrupted, then it is asked to end, then killed. Pure:
 * times come in, a decision goes out.
 */
public final class HangLimits {
    private final long softLimit;
    private final long hardLimit;
    private final long grace;
    /** The iteration that was over the soft limit at the last look. */
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

    /** What is to be done now. */
    public enum Decision {
        /** The rank makes progress, or has been dealt with. */
        NOTHING,
        /** Its iteration is interrupted. */
        INTERRUPT,
        /** SIGCONT and SIGTERM. */
        TERMINATE,
        /** SIGKILL. */
        KILL
    }

    /**
     * Each iteration is interrupted once, and each of the two measures against the process is taken once; there is no
     * way back from the first. An iteration must be over the limit at two looks in a row: when a whole host wakes up,
     * the rank has the time in between to leave a new stamp.
     *
     * @param watched the iteration whose function is watched, or {@link HeartbeatFile#NONE}
     * @param silent for how long the more silent one of the heartbeats has been, in nanoseconds
     */
    public Decision decide(long now, int watched, long silent) {
        if (asked) {
            if (killed || now - askedAt < grace) {
                return Decision.NOTHING;
            }
            killed = true;
            return Decision.KILL;
        }
        if (silent >= hardLimit) {
            asked = true;
            askedAt = now;
            return Decision.TERMINATE;
        }
        int suspect = silent >= softLimit ? watched : HeartbeatFile.NONE;
        boolean again = suspect == suspected;
        suspected = suspect;
        if (suspect == HeartbeatFile.NONE || suspect == interrupted || !again) {
            return Decision.NOTHING;
        }
        interrupted = suspect;
        return Decision.INTERRUPT;
    }
}
