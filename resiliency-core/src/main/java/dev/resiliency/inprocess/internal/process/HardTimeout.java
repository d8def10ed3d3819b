package dev.resiliency.inprocess.internal.process;

import java.time.Duration;

/**
 * Decides when a rank that hangs is ended, and how: first asked to, then killed. Pure: times come in, a decision goes
 * out.
 */
final class HardTimeout {
    private final long limit;
    private final long grace;
    private boolean asked;
    private boolean killed;
    private long askedAt;

    HardTimeout(Duration limit, Duration terminationGraceTime) {
        this.limit = limit.toNanos();
        this.grace = terminationGraceTime.toNanos();
    }

    /** What is to be done now. */
    enum Decision {
        /** The rank makes progress, or has been dealt with. */
        NOTHING,
        /** SIGCONT and SIGTERM. */
        TERMINATE,
        /** SIGCONT, SIGTERM and SIGKILL. */
        KILL
    }

    /** Each of the two measures is decided upon once; there is no way back from the first. */
    Decision decide(long now, long automatic, long manual) {
        if (asked) {
            if (killed || now - askedAt < grace) {
                return Decision.NOTHING;
            }
            killed = true;
            return Decision.KILL;
        }
        boolean manualIsLate = manual != HeartbeatFile.NEVER && now - manual >= limit;
        if (now - automatic < limit && !manualIsLate) {
            return Decision.NOTHING;
        }
        asked = true;
        askedAt = now;
        return Decision.TERMINATE;
    }
}
