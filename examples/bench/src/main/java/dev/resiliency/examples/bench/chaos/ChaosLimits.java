package dev.resiliency.examples.bench.chaos;

import java.time.Duration;

/** Time limits of a job and of its steps. */
final class ChaosLimits {
    /** The wrapper's setting. */
    static final Duration SOFT_TIMEOUT = Duration.ofMillis(1500);
    /** The wrapper's setting. */
    static final Duration HARD_TIMEOUT = Duration.ofSeconds(3);
    /** The wrapper's setting. */
    static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(4);
    /** The wrapper's setting. */
    static final Duration TERMINATION_GRACE_TIME = Duration.ofMillis(500);

    /** From the start of the processes until all ranks are in their function. */
    static final Duration START = Duration.ofSeconds(90);
    /** From a volley until all survivors are in the same later iteration: several timeouts in a row. */
    static final Duration SETTLE = Duration.ofSeconds(30);
    /** From the loss of the store until all ranks know: longer if its host is frozen and silent. */
    static final Duration STORE_LOSS = Duration.ofSeconds(60);
    /** From the last fault until all ranks have returned from the wrapper. */
    static final Duration COMPLETE = Duration.ofSeconds(30);
    /** From the order to close until all processes are gone, those of the monitors included. */
    static final Duration END = Duration.ofSeconds(25);
    /** For the ranks of a broken job to write their thread dumps. */
    static final Duration DUMP = Duration.ofSeconds(2);

    private ChaosLimits() {}
}
