package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.rendezvous.JobEvent;
import java.util.OptionalInt;

/** What an agent decides, each with its reason for the log; an empty one is not logged. */
sealed interface AgentAction {
    /** Returns the line for the log. */
    String reason();

    /** To log a line, and nothing else. */
    record Note(String reason) implements AgentAction {}

    /** To write an event of the job, for whoever looks at it from outside; the log has it already. */
    record Report(JobEvent.Kind kind, String text) implements AgentAction {
        @Override
        public String reason() {
            return "";
        }
    }

    /** To wait for the node's seat in a cycle. */
    record TakeSeat(int cycle, String reason) implements AgentAction {}

    /** To wait until the job is founded. */
    record AwaitFounders(String reason) implements AgentAction {}

    /** To wait until the memory of the GPUs is free. */
    record AwaitMemory(String reason) implements AgentAction {}

    /**
     * To start a process.
     *
     * @param restarts how often it, or the whole job, was started again before
     * @param promise the number by which it is to join
     */
    record Start(int process, int restarts, OptionalInt promise, String reason) implements AgentAction {}

    /**
     * To ask for a restart of a process, or of {@link Agent#WHOLE_NODE}.
     *
     * @param needsWrapper whether it helps only if the ranks have wrappers; if none has, {@link AgentEvent.Unwrapped} is the answer
     */
    record AskRestart(int process, boolean needsWrapper, String reason) implements AgentAction {}

    /**
     * To send a process a signal.
     *
     * @param name without {@code SIG}
     */
    record Signal(int process, String name, String reason) implements AgentAction {}

    /**
     * To pass a signal on to a process if it handles it.
     *
     * @param name without {@code SIG}
     */
    record Pass(int process, String name, String reason) implements AgentAction {}

    /** To let a process go on, if it is suspended, and show what its threads do. */
    record Dump(int process, String reason) implements AgentAction {}

    /** To end a process at once. */
    record Kill(int process, String reason) implements AgentAction {}

    /** To call the next cycle of the whole job, out of its budget. */
    record CallCycle(int cycle, String reason) implements AgentAction {}

    /** To end the job for all nodes. */
    record EndJob(int code, String reason) implements AgentAction {}

    /** To leave the job. */
    record Leave(boolean hasCompleted, String reason) implements AgentAction {}

    /** To end this agent with this exit code. */
    record Exit(int code, String reason) implements AgentAction {}
}
