package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.attribution.RankEnd;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import dev.resiliency.monitor.spi.JobPart;
import java.util.OptionalInt;

/** What happens to an agent. Processes are named by their number on the node, from 0. */
sealed interface AgentEvent {
    /** The node has a seat. */
    record Seated(Seat seat) implements AgentEvent {}

    /** The founders of the job have their ranks, so spare processes cannot take them any more. */
    record Founded() implements AgentEvent {}

    /** A process has started. */
    record Started(int process, long pid) implements AgentEvent {}

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

    /**
     * The answer to {@link AgentAction.AskRestart}.
     *
     * @param number how many restarts of the job are spent with this one; 0 if it is not granted
     * @param promise the number by which the process is to join, if one is promised
     */
    record Granted(int process, int number, OptionalInt promise) implements AgentEvent {}

    /** No process of the job has ever called a wrapper, so the others cannot go on when one has failed. */
    record Unwrapped() implements AgentEvent {}

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
    record Notified(String signal) implements AgentEvent {}

    /** The job has ended for all nodes. */
    record JobEnded(int code, String reason) implements AgentEvent {}

    /** All ranks of the job are to start again. */
    record CycleCalled(int cycle, String reason) implements AgentEvent {}

    /** This node is asked to leave the job. */
    record Drained(String reason) implements AgentEvent {}

    /** This node fails its checks, so it is to be replaced. */
    record Unhealthy(String reason) implements AgentEvent {}

    /**
     * The wait for the memory of the GPUs is over.
     *
     * @param note what to say of it
     */
    record MemoryFree(String note) implements AgentEvent {}

    /** A process has not done in time what its limits require. */
    record Overdue(int process, String reason) implements AgentEvent {}

    /** A process that hangs is no JVM, so there are no threads to wait for. */
    record ShowsNothing(int process) implements AgentEvent {}

    /** A process asks for something that concerns more than itself. */
    record Asked(int process, WorkloadAction action, String reason) implements AgentEvent {}

    /** The job is started again and again, and gets no further. */
    record NoProgress(String reason) implements AgentEvent {}

    /**
     * A node of the job is lost, or has left.
     *
     * @param what as a sentence: {@code node host1 is lost}
     */
    record NodeGone(String what) implements AgentEvent {}

    /** This agent cannot go on: it was refused, or the store is lost. */
    record Failed(String reason) implements AgentEvent {}

    /** This agent has left the job, and no other one needs it. */
    record Free() implements AgentEvent {}

    /** Time has passed. */
    record Tick() implements AgentEvent {}
}
