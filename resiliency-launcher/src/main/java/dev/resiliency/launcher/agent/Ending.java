package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.agent.AgentAction.AnnounceLeave;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.ProcessState;
import org.jspecify.annotations.Nullable;

/** All processes of the node end, and then its agent, for the first reason that there was. */
final class Ending implements AgentStage {
    /** The signal that asks a process to end, for any reason but a signal to the agent. */
    static final String TERMINATE = "TERM";

    private final AgentContext context;
    private final String reason;
    /** Whether a signal is why the agent ends. */
    private final boolean isStopped;
    /** Whether the job goes on without this node. */
    private final boolean isAlone;

    private int exitCode;
    /** The first signal that asked the agent to end; null before. */
    private @Nullable String stopSignal;

    /** Ends all processes, and then the agent with this exit code, as the job ends, or this agent has lost it. */
    Ending(AgentContext context, int exitCode, String reason) {
        this(context, exitCode, reason, null, false);
    }

    private Ending(AgentContext context, int exitCode, String reason, @Nullable String stopSignal, boolean isAlone) {
        this.context = context;
        this.exitCode = exitCode;
        this.reason = reason;
        this.stopSignal = stopSignal;
        isStopped = stopSignal != null;
        this.isAlone = isAlone;
        if (isAlone) {
            context.act(new AnnounceLeave());
        }
        context.slots().stopAll(stopSignal == null ? TERMINATE : stopSignal, reason);
    }

    /** Passes on a signal that the agent has received. Unless the job completes nevertheless, its exit code is the signal's. */
    static Ending onSignal(AgentContext context, String signal) {
        return new Ending(context, ExitReason.codeOf(signal), "received SIG" + signal, signal, true);
    }

    /** Ends an agent whose processes have all completed, as it has received a signal. */
    static Ending afterCompletion(AgentContext context, String reason, String signal) {
        return new Ending(context, ExitCode.COMPLETED, "%s; received SIG%s".formatted(reason, signal), signal, false);
    }

    /** Ends an agent whose node leaves the job, which goes on without it. */
    static Ending alone(AgentContext context, int exitCode, String reason) {
        return new Ending(context, exitCode, reason, null, true);
    }

    /** All processes have left on purpose: the exit code says which signal has asked for that. */
    static Ending whenLeft(AgentContext context) {
        String signal = context.slots().passed().orElse(TERMINATE);
        return alone(
                context,
                ExitReason.codeOf(signal),
                "all ranks of this node have left the job, which has not completed");
    }

    @Override
    public AgentStage on(AgentEvent event) {
        if (event instanceof Ended ended) {
            context.slots().hasStopped(ended);
            if (isStopped && ended.end().hasCompletedJob()) {
                context.slots().get(ended.process()).enter(ProcessState.COMPLETED);
                exitCode = ExitCode.COMPLETED;
            }
        } else if (event instanceof StopAsked asked) {
            stopAsked(asked.signal());
        } else {
            return ignore(event);
        }
        return this;
    }

    private void stopAsked(String signal) {
        if (stopSignal == null) {
            stopSignal = signal; // the processes have been asked to end already, for another reason
            return;
        }
        RankSlots slots = context.slots();
        for (RankSlot slot : slots.all()) {
            if (slot.state() == ProcessState.STOPPING) {
                slots.kill(
                        slot,
                        "received SIG%s, after a signal before: %s is killed".formatted(signal, slots.nameOf(slot)));
            }
        }
    }

    @Override
    public @Nullable AgentStage next() {
        return context.slots().anyIsAlive()
                ? null
                : new Leaving(context, exitCode, reason, stopSignal != null, isAlone);
    }
}
