package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.attribution.RankEnd;
import dev.resiliency.launcher.health.Finding;
import dev.resiliency.launcher.monitor.Progress;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.rendezvous.CycleCall;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import dev.resiliency.monitor.spi.JobPart;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** What happens to an agent. Processes are named by their number on the node, from 0. */
sealed interface AgentEvent {
    /** An event that may come to a stage without a use for it, such as a late answer. A stage must handle each other one. */
    sealed interface Ignorable extends AgentEvent {}

    /** The agent begins. */
    record Begun() implements Ignorable {}

    /** The checks of the node are over. */
    record Checked(List<Finding> findings) implements Ignorable {}

    /** The job has a seat for the node. */
    record SeatGiven(Seat seat) implements Ignorable {}

    /** It is known where rank 0 may host a store, so the node can take its seat. */
    record Seated(Seat seat) implements Ignorable {}

    /** The founders of the job have their ranks, so spare processes cannot take them any more. */
    record Founded() implements Ignorable {}

    /** A process has started. */
    record Started(int process, long pid) implements Ignorable {}

    /**
     * A process has ended, or could not be started.
     *
     * @param at when, on the clock of {@link System#nanoTime}
     */
    record Ended(int process, RankEnd end, long at) implements AgentEvent {
        /** Creates the end of a process that has called no wrapper, as far as is known. */
        Ended(int process, ExitReason reason, long at) {
            this(process, new RankEnd(reason, JobPart.NONE), at);
        }

        ExitReason reason() {
            return end.reason();
        }
    }

    /** Whether a process of the job has ever called a wrapper: without that, the others cannot go on when one has failed. */
    record Wrapped(Target target, boolean isWrapped) implements Ignorable {}

    /**
     * All nodes know who starts again.
     *
     * @param progress how far the job was at the restarts before: see {@link Progress}; empty if that is not known
     */
    record ProgressShared(Target target, String progress) implements Ignorable {}

    /**
     * The answer to {@link AgentAction.AskRestart}.
     *
     * @param number how many restarts of the job are spent with this one; 0 if it is not granted
     */
    record Granted(Target target, int number) implements Ignorable {}

    /**
     * The others wait for a replacement, or do not.
     *
     * @param number of the restart
     * @param promise the number by which the process is to join, if one is promised
     */
    record Promised(int process, int number, OptionalInt promise) implements Ignorable {}

    /** What has become of the cycle that this agent has called. */
    record CallAnswered(CycleCall call) implements Ignorable {}

    /**
     * This agent is asked to end.
     *
     * @param signal without {@code SIG}
     */
    record StopAsked(String signal) implements AgentEvent {}

    /**
     * A signal came that the ranks may want, and that asks nobody to end.
     *
     * @param signal without {@code SIG}
     */
    record Notified(String signal) implements Ignorable {}

    /** The job has ended for all nodes. */
    record JobEnded(int code, String reason) implements Ignorable {}

    /** All ranks of the job are to start again. */
    record CycleCalled(int cycle, String reason) implements Ignorable {}

    /** This node is asked to leave the job. */
    record Drained(String reason) implements Ignorable {}

    /**
     * The wait for the memory of the GPUs is over.
     *
     * @param note what to say of it
     */
    record MemoryFree(String note) implements Ignorable {}

    /** A process has not done in time what its limits require. */
    record Overdue(int process, String reason) implements Ignorable {}

    /** A process that hangs is no JVM, so there are no threads to wait for. */
    record ShowsNothing(int process) implements Ignorable {}

    /** A process asks for something that concerns more than itself. */
    record Asked(int process, WorkloadAction action, String reason) implements Ignorable {}

    /** It is of no use to start the job again. */
    record EndAdvised(String reason) implements Ignorable {}

    /**
     * A node of the job is lost, or has left.
     *
     * @param what as a sentence: {@code node host1 is lost}
     */
    record NodeGone(String what) implements Ignorable {}

    /** A node has died, and this agent is the first that has noticed it. */
    record NodeLost(String name) implements Ignorable {}

    /** This agent goes to another store, and these processes without it. */
    record WentOn(Set<Integer> processes, String why) implements Ignorable {}

    /** This agent cannot go on. */
    record Failed(Cause cause, String what) implements Ignorable {
        enum Cause {
            /** The job does not admit this node. */
            REFUSED,
            /** Too few nodes have come in time. */
            NODES_MISSING,
            /** The store cannot be used any more. */
            STORE_LOST,
            /** The store cannot be used any more, but the agents may found another one. */
            STORE_MOVES,
            /** The store takes this agent for dead. */
            CUT_OFF
        }

        private String remedy() {
            return cause == Cause.STORE_LOST
                    ? ". If the node that hosts it may fail, host it elsewhere: start 'resiliency store' and name it with"
                            + " --rdzv-endpoint"
                    : "";
        }

        String reason() {
            return switch (cause) {
                case REFUSED, NODES_MISSING, STORE_MOVES -> what;
                case CUT_OFF, STORE_LOST -> "this agent cannot go on without its store: " + what + remedy();
            };
        }
    }

    /** This agent has left the job, and no other one needs it. */
    record Free() implements AgentEvent {}

    /** Time has passed. */
    record Tick() implements Ignorable {}
}
