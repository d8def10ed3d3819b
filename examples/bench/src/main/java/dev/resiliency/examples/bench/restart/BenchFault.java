package dev.resiliency.examples.bench.restart;

import java.util.Locale;

/** What happens to one rank of the job. */
enum BenchFault {
    /** The function throws. */
    EXCEPTION(Detection.AT_ONCE, true),
    /** SIGKILL from outside. */
    KILL(Detection.AT_ONCE, false),
    /** The function goes on, but pings no more. */
    STOP_PING(Detection.SOFT_TIMEOUT, true),
    /** The function waits for ever, in a way that an interrupt ends. */
    BLOCKED(Detection.SOFT_TIMEOUT, true),
    /** The function waits for ever in a read that nothing but the end of the process ends. */
    BLOCKED_READ(Detection.HARD_TIMEOUT, false);

    /** What the job has to notice it with. */
    enum Detection {
        AT_ONCE,
        SOFT_TIMEOUT,
        HARD_TIMEOUT
    }

    private final Detection detection;
    private final boolean survived;

    BenchFault(Detection detection, boolean survived) {
        this.detection = detection;
        this.survived = survived;
    }

    Detection detection() {
        return detection;
    }

    /** Whether the rank that it happens to takes part in the next iteration. */
    boolean isSurvived() {
        return survived;
    }

    /** As on the command line: {@code stop-ping}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
