package dev.resiliency.examples.bench.chaos;

import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.FaultKind.Effect;
import java.time.Duration;
import java.util.Locale;

/**
 * Something that happens to a launched job.
 *
 * @param id unique among the faults of a job
 * @param node the node that it hits; -1 if it happens to the whole job
 * @param delay after the beginning of its batch
 * @param rankFault of {@link Kind#FAULT} and {@link Kind#SIGNAL}; another kind has {@link FaultKind#SIGKILL}
 * @param exitCode of {@link Kind#EXIT}
 * @param length how long an agent stands still, or how long others are there
 */
record LaunchedFault(int id, Kind kind, int node, Duration delay, FaultKind rankFault, int exitCode, Duration length) {

    /** What happens. */
    enum Kind {
        /** A fault in the function of a rank. */
        FAULT,
        /** A signal to a rank. */
        SIGNAL,
        /** A process exits with some code. */
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
        /** Busy processes, of which there are many more than processors. */
        STARVATION,
        /** Others hold connections to all ports of the job, and prove nothing. */
        STRANGERS,
        /** {@code resiliency drain}. */
        DRAIN,
        /** {@code resiliency restart}. */
        RESTART,
        /** {@code resiliency scale}, to one node less and back. */
        SCALE;

        /** Returns whether it hits one process of a node. */
        boolean isOfRank() {
            return this == FAULT || this == SIGNAL || this == EXIT;
        }

        /** Returns whether it happens to the whole job. */
        boolean isOfJob() {
            return this == RESTART || this == SCALE || this == STARVATION || this == STRANGERS;
        }

        /** Returns whether it costs nobody anything. */
        boolean isHarmless() {
            return this == AGENT_PAUSE || this == AGENT_USR1 || this == STARVATION || this == STRANGERS;
        }

        /** Returns whether the agent of the node ends. */
        boolean endsAgent() {
            return this == AGENT_KILL
                    || this == AGENT_TERM
                    || this == AGENT_STOP
                    || this == NODE_KILL
                    || this == DRAIN
                    || this == SCALE;
        }

        /** Returns the name for people, such as {@code agent kill}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** Returns whether it costs the process that it hits. */
    boolean endsProcess() {
        return !kind.isHarmless() && (kind != Kind.FAULT || rankFault.effect() != Effect.RESTART);
    }

    /** Returns its row in the table. */
    String label() {
        return switch (kind) {
            case FAULT -> rankFault.toString();
            case SIGNAL -> rankFault + " from outside";
            default -> kind.toString();
        };
    }

    @Override
    public String toString() {
        String what = kind == Kind.EXIT ? "exit " + exitCode : label();
        return what
                + (node < 0 ? "" : " on node " + node)
                + (length.isZero() ? "" : " for " + length.toMillis() + " ms")
                + (delay.isZero() ? "" : " +" + delay.toMillis() + " ms");
    }
}
