package dev.resiliency.examples.bench.chaos;

import dev.resiliency.testing.FaultKind;
import java.util.Locale;

/** The place where a fault hits a rank. */
enum Place {
    /** In its function, at the beginning of a step. */
    STEP,
    /** From outside, whatever its processes are doing. */
    OUTSIDE,
    /** In the network of its host, which fails for longer than the heartbeat timeout. */
    NETWORK,
    /** In the initialize hook of the next iteration. */
    INITIALIZE,
    /** In the abort hook of the next restart. */
    ABORT,
    /** In the finalize hook of the next restart. */
    FINALIZE,
    /** In the next health check. */
    HEALTH_CHECK,
    /** On the way of its process into the job, which runs already. */
    JOINING;

    /** Returns whether that kind can hit here. */
    boolean allows(FaultKind kind) {
        return switch (this) {
            case STEP -> true;
            case OUTSIDE ->
                switch (kind) {
                    case SIGKILL, SIGTERM, SIGINT, SIGSTOP, SIGSEGV, ABORT, KILL_MONITOR, HOST_LOSS -> true;
                    default -> false;
                };
            case NETWORK -> kind == FaultKind.HOST_LOSS;
            case JOINING -> kind == FaultKind.SIGKILL;
            case INITIALIZE, FINALIZE ->
                kind == FaultKind.EXCEPTION || kind == FaultKind.SYSTEM_EXIT || kind == FaultKind.SLEEP_FOREVER;
            case ABORT, HEALTH_CHECK -> kind == FaultKind.EXCEPTION || kind == FaultKind.SYSTEM_EXIT;
        };
    }

    /** Returns whether it hits only during a restart, which another fault must cause. */
    boolean isInRestart() {
        return this != STEP && !isOutside();
    }

    /** Returns whether it hits without the help of the rank. */
    boolean isOutside() {
        return this == OUTSIDE || this == NETWORK || this == JOINING;
    }

    /** Returns whether a batch may contain a fault here; others are drawn when a process is launched. */
    boolean isInBatches() {
        return this != JOINING;
    }

    /** Returns whether it hits only a process that has been in an iteration. */
    boolean needsMember() {
        return !isOutside();
    }

    /** Returns the name for people, such as {@code health check}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
