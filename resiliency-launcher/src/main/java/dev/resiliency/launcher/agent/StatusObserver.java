package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentAction.Sit;
import dev.resiliency.launcher.rendezvous.NodeSession;
import dev.resiliency.launcher.status.NodeSnapshot;
import dev.resiliency.launcher.status.RankPublisher;
import dev.resiliency.monitor.spi.RankStamps;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntFunction;

/** Publishes what people see of a node: the states of its ranks, and their restarts. */
final class StatusObserver implements Observer {
    private final NodeSession session;
    private final StatusService service;
    private final RankPublisher publisher;
    private final RestartNotes restarts;
    private NodeState node;

    /**
     * Creates the observer.
     *
     * @param node before the first step
     * @param stamps reads what a process has stamped, by its number
     */
    StatusObserver(
            NodeState node,
            NodeSession session,
            NodeStamps nodeStamps,
            IntFunction<Optional<RankStamps>> stamps,
            StatusService service) {
        this.node = node;
        this.session = session;
        this.service = service;
        restarts = new RestartNotes(
                nodeStamps::restartsAfter, session::report, System::currentTimeMillis, System::nanoTime);
        publisher = new RankPublisher(
                new RankSnapshots(() -> this.node, stamps, System::currentTimeMillis, System::nanoTime)::read,
                nodeStamps::sections,
                this::publish,
                System::nanoTime,
                System::currentTimeMillis);
    }

    private void publish(NodeSnapshot snapshot) {
        session.publishRanks(snapshot.json());
        restarts.look(snapshot.ranks(), node.group(), session.isLowest());
    }

    @Override
    public void observe(AgentStep step) {
        node = step.after();
        for (AgentAction action : step.actions()) {
            if (action instanceof Sit sit) {
                publisher.begin(sit.seat().nodes());
                service.seated(sit.seat());
            }
        }
    }

    @Override
    public void look() {
        publisher.look();
    }

    @Override
    public Optional<Duration> untilLook() {
        return publisher.untilDue();
    }
}
