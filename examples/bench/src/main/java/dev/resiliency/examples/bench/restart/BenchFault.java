package dev.resiliency.examples.bench.restart;

import java.util.Locale;

/** The fault of one rank of the job. */
enum BenchFault {
    /** The function throws. */
    EXCEPTION(Detection.AT_ONCE, true),
    /** SIGKILL from outside. */
    KILL(Detection.AT_ONCE, false),
    /** The function continues, but stops pinging. */
    STOP_PING(Detection.SOFT_TIMEOUT, true),
    /** The function waits forever, until an interrupt ends it. */
    BLOCKED(Detection.SOFT_TIMEOUT, true),
    /** The function blocks forever in a read that only the end of the process ends. */
    BLOCKED_READ(Detection.HARD_TIMEOUT, false);

    /** The means by which the job detects it. */
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

    /** Returns whether its rank takes part in the next iteration. */
    boolean isSurvived() {
        return survived;
    }

    /** Returns the name on the command line, such as {@code stop-ping}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
