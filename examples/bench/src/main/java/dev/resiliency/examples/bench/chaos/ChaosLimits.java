package dev.resiliency.examples.bench.chaos;

import java.time.Duration;

/** Time limits of a job and of its steps. */
final class ChaosLimits {
    /** The wrapper's setting: a rank may wait for a processor for two seconds, while eight JVMs start on two. */
    static final Duration SOFT_TIMEOUT = Duration.ofMillis(2250);
    /** The wrapper's setting. */
    static final Duration HARD_TIMEOUT = Duration.ofMillis(3750);
    /** The wrapper's setting where a rank hosts the store: the others must notice first that it is silent. */
    static final Duration HARD_TIMEOUT_WITH_STORE = Duration.ofSeconds(8);
    /** The wrapper's setting. */
    static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(4);
    /** An outage that costs no rank; the time that is left is for processes that wait for a processor. */
    static final Duration LONGEST_OUTAGE = Duration.ofSeconds(3);
    /**
     * How long a connection may be silent while a rank hangs. All ranks wait for that one, and agree on a restart through the
     * store: it must begin before the hard timeout ends them as well.
     */
    static final Duration LONGEST_SILENCE_BESIDE_HANG =
            HARD_TIMEOUT.minus(SOFT_TIMEOUT).dividedBy(2);
    /** An outage that costs the rank. */
    static final Duration OUTAGE_OVER_TIMEOUT = Duration.ofSeconds(7);
    /** The wrapper's setting. */
    static final Duration TERMINATION_GRACE_TIME = Duration.ofMillis(500);

    /** From the start of the processes until all ranks are in their function. */
    static final Duration START = Duration.ofSeconds(90);
    /** From a batch until all survivors are in the same later iteration: several timeouts in a row. */
    static final Duration SETTLE = Duration.ofSeconds(30);
    /** From a batch until as many ranks train as in the beginning: JVMs must start for it, perhaps several times. */
    static final Duration REPLACE = Duration.ofSeconds(90);
    /** From the time when a process is monitored until the job knows that it waits, beside outages. */
    static final Duration ANNOUNCE = Duration.ofSeconds(10);
    /** From the loss of a process that waits until the job can know of it, at the latest. */
    static final Duration JOINER_LOSS = HEARTBEAT_TIMEOUT.plusSeconds(1);
    /** From the last fault until all ranks have returned from the wrapper. */
    static final Duration COMPLETE = Duration.ofSeconds(30);
    /** From the order to close until all processes are gone, those of the monitors included. */
    static final Duration END = Duration.ofSeconds(25);

    private ChaosLimits() {}
}
