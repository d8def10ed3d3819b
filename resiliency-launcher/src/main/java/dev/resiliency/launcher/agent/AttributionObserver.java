package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentAction.Kill;
import dev.resiliency.launcher.agent.AgentAction.Leave;
import dev.resiliency.launcher.agent.AgentAction.Signal;
import dev.resiliency.launcher.agent.AgentAction.Sit;
import dev.resiliency.launcher.agent.AgentEvent.Ended;
import dev.resiliency.launcher.agent.AgentEvent.Failed;
import dev.resiliency.launcher.agent.AgentEvent.NodeLost;
import dev.resiliency.launcher.agent.AgentEvent.Overdue;
import dev.resiliency.launcher.agent.AgentEvent.Started;
import dev.resiliency.launcher.attribution.Attribution;
import dev.resiliency.launcher.process.ExitReason.Shortage;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Gives {@link Attribution} what happens to the node. */
final class AttributionObserver implements Observer {
    private final Attribution attribution;
    private final RankProcesses processes;
    private final BooleanSupplier isLowest;
    private boolean isLeaving;

    /**
     * Creates the observer.
     *
     * @param isLowest returns whether this agent is the lowest of those that live
     */
    AttributionObserver(Attribution attribution, RankProcesses processes, BooleanSupplier isLowest) {
        this.attribution = attribution;
        this.processes = processes;
        this.isLowest = isLowest;
    }

    @Override
    public void observe(AgentStep step) {
        observe(step.event(), step.before());
        step.actions().forEach(this::observe);
        attribution.askedAll();
    }

    private void observe(AgentEvent event, NodeState node) {
        if (event instanceof Started started) {
            NodeState.Slot process = node.processes().get(started.process());
            attribution.started(
                    process.number(),
                    process.name(),
                    process.rank().orElse(-1),
                    started.pid(),
                    process.promise(),
                    process.restarts() <= node.cycle());
        } else if (event instanceof Overdue overdue) {
            attribution.overdue(overdue.process(), overdue.reason(), processes.isSuspended(overdue.process()));
        } else if (event instanceof Ended ended) {
            ended(ended, node.processes().get(ended.process()).name());
        } else if (event instanceof NodeLost lost) {
            attribution.nodeLost(lost.name());
        } else if (event instanceof Failed failed) {
            switch (failed.cause()) {
                case REFUSED -> attribution.refused(failed.what());
                case NODES_MISSING -> attribution.nodesMissing(failed.what());
                case STORE_LOST -> attribution.storeLost(failed.what());
                case STORE_MOVES -> {} // the report of the loss is that of the ranks
                case CUT_OFF -> attribution.cutOff(failed.what());
            }
        }
    }

    private void ended(Ended ended, String name) {
        if (!(ended.reason() instanceof Shortage)) {
            attribution.ended(ended.process(), name, ended.end(), processes.tail(name));
        }
    }

    private void observe(AgentAction action) {
        if (action instanceof Sit sit) {
            attribution.seated(sit.seat().cycle(), sit.seat().worldSize());
        } else if (action instanceof Signal signal) {
            attribution.asked(signal.process());
        } else if (action instanceof Kill kill) {
            attribution.asked(kill.process());
        } else if (action instanceof Leave) {
            isLeaving = true;
            attribution.leaving();
        }
    }

    /** Whoever leaves still writes the last report. */
    @Override
    public void look() {
        if (!isLeaving) {
            attribution.lead(isLowest.getAsBoolean());
        }
        attribution.look();
    }

    @Override
    public Optional<Duration> untilLook() {
        return attribution.untilLook();
    }
}
