package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.agent.AgentEvent.CycleCalled;
import dev.resiliency.launcher.agent.AgentEvent.Drained;
import dev.resiliency.launcher.agent.AgentEvent.Failed;
import dev.resiliency.launcher.agent.AgentEvent.Failed.Cause;
import dev.resiliency.launcher.agent.AgentEvent.Free;
import dev.resiliency.launcher.agent.AgentEvent.JobEnded;
import dev.resiliency.launcher.agent.AgentEvent.NodeGone;
import dev.resiliency.launcher.agent.AgentEvent.NodeLost;
import dev.resiliency.launcher.agent.AgentEvent.SeatGiven;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.rendezvous.NodeListener;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.store.spi.StoreAddress;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What an agent learns from the store, as events.
 *
 * @param goesOn gives up the store, and says whether the agent can go on without it
 * @param mover gives it up for the one at this address
 */
record SessionEvents(
        Consumer<AgentEvent> agent, LauncherLog log, BooleanSupplier goesOn, Consumer<? super StoreAddress> mover)
        implements NodeListener {
    /** Creates the events of an agent that ends with the store. */
    SessionEvents(Consumer<AgentEvent> agent, LauncherLog log) {
        this(agent, log, () -> false, there -> {});
    }

    @Override
    public void seated(Seat seat) {
        agent.accept(new SeatGiven(seat));
    }

    @Override
    public void refused(String reason) {
        agent.accept(new Failed(Cause.REFUSED, reason));
    }

    @Override
    public void nodesMissing(String reason) {
        agent.accept(new Failed(Cause.NODES_MISSING, reason));
    }

    @Override
    public void jobEnded(int code, String reason) {
        agent.accept(new JobEnded(code, reason));
    }

    @Override
    public void cycleCalled(int cycle, String reason) {
        agent.accept(new CycleCalled(cycle, reason));
    }

    @Override
    public void drained(String reason) {
        agent.accept(new Drained(reason));
    }

    @Override
    public void nodeGone(String what) {
        agent.accept(new NodeGone(what));
    }

    @Override
    public void nodeLost(String name) {
        agent.accept(new NodeLost(name));
    }

    @Override
    public void noted(String line) {
        log.line(line);
    }

    @Override
    public void free() {
        agent.accept(new Free());
    }

    @Override
    public void lost(String reason) {
        if (goesOn.getAsBoolean()) {
            log.line(reason);
            agent.accept(new Failed(
                    Cause.STORE_MOVES,
                    "the store is lost: this node goes on with the next one, if the agents can found it"));
        } else {
            agent.accept(new Failed(Cause.STORE_LOST, reason));
        }
    }

    @Override
    public void moved(StoreAddress there) {
        log.line("the job lives at %s:%d: this agent joins it there".formatted(there.host(), there.port()));
        mover.accept(there);
        agent.accept(new Failed(Cause.STORE_MOVES, "the job lives elsewhere: this node goes on there"));
    }

    @Override
    public void cutOff(String reason) {
        agent.accept(new Failed(Cause.CUT_OFF, reason));
    }
}
