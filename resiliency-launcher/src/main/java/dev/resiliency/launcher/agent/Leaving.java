package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentAction.Exit;
import dev.resiliency.launcher.agent.AgentAction.Leave;
import dev.resiliency.launcher.agent.AgentAction.Report;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Failed;
import dev.resiliency.launcher.agent.AgentEvent.Free;
import dev.resiliency.launcher.agent.AgentEvent.StopAsked;
import dev.resiliency.launcher.agent.AgentEvent.Tick;
import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.rendezvous.JobEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** No process of the node runs any more; other agents may still need the store that this one hosts. */
final class Leaving implements AgentStage {
    /** How long the agent that hosts the store waits for the others if a signal has asked it to end. */
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final AgentContext context;
    private final int exitCode;
    private final String reason;
    /** When the wait for the others ends, on the agent's clock; null if it has ended, or has no limit. */
    private @Nullable Long deadline;

    /**
     * Leaves the job. If it hosts the store, it waits as long as one of the others lives; if the job goes on, only until they can do
     * without it.
     *
     * @param isStopped whether a signal has asked for that, and perhaps ends the host soon
     * @param isAlone whether the job goes on without this node
     */
    Leaving(AgentContext context, int exitCode, String reason, boolean isStopped, boolean isAlone) {
        this.context = context;
        this.exitCode = exitCode;
        this.reason = reason;
        deadline = isStopped ? context.in(LIMIT) : null;
        context.health().leave();
        boolean hasCompleted = context.slots().haveCompleted();
        if (!hasCompleted) {
            context.act(new Report(JobEvent.Kind.NODE_LEFT, reason));
        }
        context.act(new Leave(hasCompleted, isAlone && !hasCompleted));
    }

    @Override
    public AgentStage on(AgentEvent event) {
        if (event instanceof Free || event instanceof Failed) {
            exit(reason);
        } else if (event instanceof StopAsked asked) {
            exit(reason + "; received SIG" + asked.signal());
        } else if (event instanceof Ended ended) {
            context.slots().hasStopped(ended);
        } else if (event instanceof Tick && deadline != null && context.isDue(deadline)) {
            context.note("the others still need the store that this agent hosts after " + Durations.format(LIMIT)
                    + ": they lose it");
            exit(reason);
        } else {
            return ignore(event);
        }
        return this;
    }

    private void exit(String why) {
        deadline = null;
        context.act(new Exit(exitCode, why));
    }

    @Override
    public @Nullable Long deadline() {
        return deadline;
    }
}
