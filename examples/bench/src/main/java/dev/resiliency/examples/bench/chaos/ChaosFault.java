package dev.resiliency.examples.bench.chaos;

import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.testing.FaultInjector;
import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.FaultKind.Effect;
import java.time.Duration;
import java.util.Set;

/**
 * One fault, and its possible outcomes.
 *
 * @param id unique among the faults of a job
 * @param kind the kind of fault
 * @param place where it hits
 * @param process the number of the process that it hits, or of the node; -1 if it happens to the whole job
 * @param delay delay after the beginning of its batch; zero where the restart decides the time
 * @param exitCode of {@link Place#EXIT}
 * @param length how long an agent stands still, or processors are busy
 */
record ChaosFault(int id, FaultKind kind, Place place, int process, Duration delay, int exitCode, Duration length) {
    ChaosFault(int id, FaultKind kind, Place place, int process, Duration delay) {
        this(id, kind, place, process, delay, 0, Duration.ZERO);
    }

    /** Exit codes of a process that its monitor process terminated or killed. */
    static final Set<Integer> ENDED_BY_MONITOR = Set.of(143, 137);

    /** What a rank throws that learns from the store, or from the others, that it counts as dead. */
    static final Set<String> FENCED = Set.of("SessionExpiredException", "RankFencedException");

    /** Returns the same fault that hits this process. */
    ChaosFault at(int other) {
        return new ChaosFault(id, kind, place, other, delay, exitCode, length);
    }

    /** Returns whether it costs the rank, or ranks of the node. */
    boolean isDeadly() {
        return switch (place) {
            case STEP, OUTSIDE, NETWORK -> kind.effect() != Effect.RESTART;
            case INITIALIZE, ABORT -> kind == FaultKind.SYSTEM_EXIT;
            case FINALIZE, HEALTH_CHECK -> true;
            default -> !place.isHarmless();
        };
    }

    /** Returns whether it has no effect: as exceptions of abort hooks, which are only logged. */
    boolean isHarmless() {
        return place.isHarmless() || (place == Place.ABORT && !isDeadly());
    }

    /** Returns whether the processes of the rank stay, but are frozen. */
    boolean leavesStandingStill() {
        return kind.effect() == Effect.SILENCE && place != Place.NETWORK;
    }

    /**
     * Returns how the survivors may classify it; empty if it is harmless. A deadly hang counts by its end, since all ranks
     * that wait for it may exceed the soft timeout, too.
     */
    Set<Kind> explanations() {
        if (isHarmless()) {
            return Set.of();
        }
        if (isDeadly() && kind == FaultKind.EXCEPTION) {
            return Set.of(Kind.TERMINATED_BY_RANK);
        }
        return switch (kind) {
            case EXCEPTION, ERROR, ASYNC_EXCEPTION -> Set.of(Kind.EXCEPTION);
            case SIGKILL, SIGTERM, SIGINT, SIGSEGV, ABORT, SYSTEM_EXIT, HOST_LOSS -> Set.of(Kind.TERMINATED);
            case SLEEP_FOREVER -> isDeadly() ? Set.of(Kind.HARD_TIMEOUT, Kind.TERMINATED) : Set.of(Kind.SOFT_TIMEOUT);
            case SPIN_FOREVER, STOP_PING -> Set.of(Kind.SOFT_TIMEOUT);
            // In the same iteration as another fault, a rank that reads from a socket looks like one that waits for
            // that rank.
            case BLOCKED_READ -> Set.of(Kind.SOFT_TIMEOUT, Kind.WAITING);
            // If another fault has begun the restart, the rank may give up before its monitor process ends it.
            case DEADLOCK, BLOCKED_NATIVE, SIGSTOP ->
                Set.of(Kind.HARD_TIMEOUT, Kind.TERMINATED, Kind.TERMINATED_BY_RANK);
            case OUT_OF_MEMORY -> Set.of(Kind.TERMINATED_BY_RANK);
            case KILL_MONITOR -> Set.of(Kind.MONITOR_PROCESS_LOST);
        };
    }

    /** Returns the possible exit codes of a rank that it costs; empty if the process survives. */
    Set<Integer> exitCodes() {
        return switch (kind) {
            case SIGKILL -> Set.of(137);
            case SIGTERM -> Set.of(143);
            case SIGINT -> Set.of(130);
            case SIGSEGV, ABORT -> Set.of(134);
            case SYSTEM_EXIT -> Set.of(FaultInjector.EXIT_CODE);
            case SLEEP_FOREVER, DEADLOCK, BLOCKED_NATIVE, SIGSTOP -> ENDED_BY_MONITOR;
            // If it waits for a rank that hangs, it does not learn of the restart. One that is frozen is killed in the
            // end.
            case HOST_LOSS -> place == Place.NETWORK ? ENDED_BY_MONITOR : Set.of(137);
            default -> Set.of();
        };
    }

    /** Returns the simple names of the exceptions that the wrapper of a lost rank may throw; none if the process ends. */
    Set<String> exceptions() {
        return switch (kind) {
            case EXCEPTION -> Set.of("HealthCheckException");
            case OUT_OF_MEMORY -> Set.of("OutOfMemoryError");
            case KILL_MONITOR -> Set.of("MonitorProcessException");
            case DEADLOCK, BLOCKED_NATIVE -> Set.of("WorkerStuckException");
            // Its monitor process wakes it to end it: it may learn first that it was declared dead.
            case SIGSTOP -> FENCED;
            case HOST_LOSS -> place == Place.NETWORK ? FENCED : Set.of();
            default -> Set.of();
        };
    }

    /** Returns whether a thread or a socket may remain in the process of a rank that leaves because of it. */
    boolean mayLeaveSomething() {
        return kind == FaultKind.DEADLOCK || kind == FaultKind.BLOCKED_NATIVE;
    }

    /** Returns its row in the table: {@code kill}, {@code exception in finalize}. */
    String label() {
        return switch (place) {
            case STEP -> kind.toString();
            case OUTSIDE -> kind + " from outside";
            case NETWORK -> "outage over the timeout";
            case INITIALIZE, ABORT, FINALIZE, HEALTH_CHECK -> kind + " in " + place;
            case EXIT -> "exit";
            default -> place.toString();
        };
    }

    /** Returns the name of the signal that it sends to the process. */
    String signal() {
        return kind == FaultKind.ABORT ? "ABRT" : kind.name().substring("SIG".length());
    }

    /** Returns the text for the timeline. */
    @Override
    public String toString() {
        return label()
                + (place == Place.EXIT ? " " + exitCode : "")
                + (process < 0 ? "" : ":" + process)
                + (length.isZero() ? "" : " for " + length.toMillis() + "ms")
                + (delay.isZero() ? "" : "+" + delay.toMillis() + "ms");
    }
}
