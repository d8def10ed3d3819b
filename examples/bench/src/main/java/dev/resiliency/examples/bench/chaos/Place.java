package dev.resiliency.examples.bench.chaos;

import dev.resiliency.testing.FaultKind;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

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

    // Under agents only, those of nodes and of the whole job:

    /** Its process exits with some code. */
    EXIT,
    /** SIGKILL to an agent. */
    AGENT_KILL,
    /** SIGTERM to an agent. */
    AGENT_TERM,
    /** SIGSTOP to an agent, and SIGCONT within its lease. */
    AGENT_PAUSE,
    /** SIGSTOP to an agent, and SIGCONT after its lease. */
    AGENT_STOP,
    /** SIGKILL to an agent and to all processes of its node at once. */
    NODE_KILL,
    /** SIGUSR1 to an agent, as a scheduler announces a preemption: none of its ranks asks for it. */
    AGENT_USR1,
    /** {@code resiliency drain}. */
    DRAIN,
    /** Busy processes, of which there are many more than processors. */
    STARVATION,
    /** {@code resiliency restart}. */
    RESTART,
    /** {@code resiliency scale}, to one node less and back. */
    SCALE;

    private static final Set<Place> OF_JOB = EnumSet.of(STARVATION, RESTART, SCALE);
    private static final Set<Place> HARMLESS = EnumSet.of(AGENT_PAUSE, AGENT_USR1, STARVATION);
    private static final Set<Place> END_AGENT = EnumSet.of(AGENT_KILL, AGENT_TERM, AGENT_STOP, NODE_KILL, DRAIN, SCALE);
    private static final Set<Place> IN_RESTART = EnumSet.of(INITIALIZE, ABORT, FINALIZE, HEALTH_CHECK);

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
            case INITIALIZE, FINALIZE ->
                kind == FaultKind.EXCEPTION || kind == FaultKind.SYSTEM_EXIT || kind == FaultKind.SLEEP_FOREVER;
            case ABORT, HEALTH_CHECK -> kind == FaultKind.EXCEPTION || kind == FaultKind.SYSTEM_EXIT;
            default -> false;
        };
    }

    /** Returns whether it hits only during a restart, which another fault must cause. */
    boolean isInRestart() {
        return IN_RESTART.contains(this);
    }

    /** Returns whether it hits without the help of the rank. */
    boolean isOutside() {
        return this == OUTSIDE || this == NETWORK;
    }

    /** Returns whether it hits one process of a node under an agent. */
    boolean isOfRank() {
        return this == STEP || this == OUTSIDE || this == EXIT;
    }

    /** Returns whether it happens to the whole job under agents. */
    boolean isOfJob() {
        return OF_JOB.contains(this);
    }

    /** Returns whether it costs nobody anything under agents. */
    boolean isHarmless() {
        return HARMLESS.contains(this);
    }

    /** Returns whether the agent of a node ends. */
    boolean endsAgent() {
        return END_AGENT.contains(this);
    }

    /** Returns the name for people, such as {@code health check}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
