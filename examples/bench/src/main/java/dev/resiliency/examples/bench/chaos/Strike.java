package dev.resiliency.examples.bench.chaos;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.fault.FaultInjector;
import dev.resiliency.inprocess.fault.FaultKind;
import dev.resiliency.inprocess.fault.FaultKind.Effect;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * One fault, and what may come of it.
 *
 * @param id different in each strike of a job
 * @param kind what happens
 * @param place where
 * @param rank the initial rank that it happens to
 * @param delay after the beginning of its volley; nothing where the restart decides the moment
 */
record Strike(int id, FaultKind kind, Place place, int rank, Duration delay) {
    /** With what a process ends that its monitor process has ended: asked to, or killed. */
    static final Set<Integer> ENDED_BY_MONITOR = Set.of(143, 137);

    /** Whether it costs the rank; any other rank must go on. */
    boolean isDeadly() {
        return switch (place) {
            case STEP, OUTSIDE -> kind.effect() != Effect.RESTART;
            case INITIALIZE, ABORT -> kind == FaultKind.SYSTEM_EXIT;
            case FINALIZE, HEALTH_CHECK -> true;
        };
    }

    /** Whether nothing comes of it: what an abort hook throws is logged. */
    boolean isHarmless() {
        return place == Place.ABORT && !isDeadly();
    }

    /** Whether the processes of the rank stay, but do nothing any more. */
    boolean leavesStandingStill() {
        return kind.effect() == Effect.SILENCE;
    }

    /** Whether nothing is heard of its rank for a while, though nothing ends its connections. */
    boolean makesSilent() {
        return leavesStandingStill() || kind == FaultKind.SIGSTOP;
    }

    /**
     * What the survivors may be told of it; nothing if it is harmless. Of a hang that costs the rank, its end counts: that
     * it is over the soft timeout, too, may be said of all that wait for it.
     */
    Set<Interruption.Kind> explanations() {
        if (isHarmless()) {
            return EnumSet.noneOf(Interruption.Kind.class);
        }
        if (isDeadly() && kind == FaultKind.EXCEPTION) {
            return EnumSet.of(Interruption.Kind.TERMINATED_BY_RANK);
        }
        return switch (kind) {
            case EXCEPTION, ERROR, ASYNC_EXCEPTION -> EnumSet.of(Interruption.Kind.EXCEPTION);
            case SIGKILL, SIGTERM, SIGINT, SIGSEGV, ABORT, SYSTEM_EXIT -> EnumSet.of(Interruption.Kind.TERMINATED);
            case SLEEP_FOREVER ->
                isDeadly()
                        ? EnumSet.of(Interruption.Kind.HARD_TIMEOUT, Interruption.Kind.TERMINATED)
                        : EnumSet.of(Interruption.Kind.SOFT_TIMEOUT);
            case SPIN_FOREVER, BLOCKED_READ, STOP_PING -> EnumSet.of(Interruption.Kind.SOFT_TIMEOUT);
            // If another fault has begun the restart, the rank may give up itself before its monitor process does.
            case DEADLOCK, BLOCKED_NATIVE, SIGSTOP ->
                EnumSet.of(
                        Interruption.Kind.HARD_TIMEOUT,
                        Interruption.Kind.TERMINATED,
                        Interruption.Kind.TERMINATED_BY_RANK);
            case OUT_OF_MEMORY -> EnumSet.of(Interruption.Kind.TERMINATED_BY_RANK);
            case KILL_MONITOR -> EnumSet.of(Interruption.Kind.MONITOR_PROCESS_LOST);
            case HOST_LOSS -> EnumSet.of(Interruption.Kind.TERMINATED);
        };
    }

    /** With what the process of a rank may end that it costs; nothing if the process lives, or stands still. */
    Set<Integer> exitCodes() {
        return switch (kind) {
            case SIGKILL -> Set.of(137);
            case SIGTERM -> Set.of(143);
            case SIGINT -> Set.of(130);
            case SIGSEGV, ABORT -> Set.of(134);
            case SYSTEM_EXIT -> Set.of(FaultInjector.EXIT_CODE);
            case SLEEP_FOREVER, DEADLOCK, BLOCKED_NATIVE, SIGSTOP -> ENDED_BY_MONITOR;
            default -> Set.of();
        };
    }

    /** With what the wrapper of a rank may throw that it costs: the simple name of a class; empty if the process ends. */
    String exception() {
        return switch (kind) {
            case EXCEPTION -> "HealthCheckException";
            case OUT_OF_MEMORY -> "OutOfMemoryError";
            case KILL_MONITOR -> "MonitorProcessException";
            case DEADLOCK, BLOCKED_NATIVE -> "WorkerStuckException";
            default -> "";
        };
    }

    /** Whether a thread or a socket may stay in the process of a rank that leaves because of it. */
    boolean mayLeaveSomething() {
        return kind == FaultKind.DEADLOCK || kind == FaultKind.BLOCKED_NATIVE;
    }

    /** Its line in the table: {@code kill}, {@code exception in finalize}. */
    String label() {
        return switch (place) {
            case STEP -> kind.toString();
            case OUTSIDE -> kind + " from outside";
            default -> kind + " in " + place;
        };
    }

    /** For the timeline. */
    @Override
    public String toString() {
        return label() + ":" + rank + (delay.isZero() ? "" : "+" + delay.toMillis() + "ms");
    }
}
