package dev.resiliency.examples.bench.agents;

import dev.resiliency.launcher.rendezvous.Node;
import dev.resiliency.launcher.rendezvous.NodeListener;
import dev.resiliency.launcher.rendezvous.NodeSession;
import dev.resiliency.launcher.rendezvous.NodeSettings;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.launcher.rendezvous.Terms;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An agent without ranks: the session of a real one, and its connection. Confined to the thread of its {@link AgentSwarm}, on
 * which its session handles all answers.
 */
final class SimulatedAgent implements NodeListener, AutoCloseable {
    private static final String JOB = "agents";
    /** How long its requests, and its connection, may take. */
    static final Duration PATIENCE = Duration.ofMinutes(5);
    /** Longer than the default: thousands of agents share few cores here. */
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final SessionStore connection;
    private final NodeSession session;
    private final Observer observer;
    private long sent;
    private long received;
    private boolean isClosed;

    /** Receives what the agents of a swarm experience, on its thread. */
    interface Observer {
        /** An agent has a seat in a cycle. */
        void seated(SimulatedAgent agent, Seat seat);

        /** An agent has received a message. */
        void received(SimulatedAgent agent);

        /** The agent with the lowest number has learned that a node is gone. */
        void nodeGone();

        /** An agent cannot go on. */
        void failed(String reason);
    }

    /** Creates an agent of a job of this many nodes; it does not arrive yet. */
    SimulatedAgent(int number, int nodes, SessionStore connection, Executor thread, Observer observer) {
        this.observer = observer;
        this.connection = connection;
        NodeSettings settings = new NodeSettings(
                JOB,
                new Terms(nodes, 1, "soft", 0),
                nodes,
                "node" + number,
                "127.0.0.1",
                Node.NO_RANK,
                "",
                PATIENCE,
                Duration.ZERO,
                LEASE,
                false);
        session = new NodeSession(new Counting(connection), settings, task -> thread.execute(() -> run(task)), this);
    }

    private void run(Runnable task) {
        received++;
        observer.received(this);
        task.run();
    }

    /** Counts what the agent sends. */
    private final class Counting extends ForwardingStore {
        Counting(SessionStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<@Nullable Object>> submit(
                List<? extends Operation<?>> operations, Duration timeout) {
            sent++;
            return super.submit(operations, timeout);
        }

        @Override
        public void send(List<? extends Operation<?>> operations) {
            sent++;
            super.send(operations);
        }
    }

    void arrive() {
        session.arrive();
    }

    void callCycle(int number) {
        session.callCycle(number, "the benchmark", isCaller -> {});
    }

    /** Returns how many messages it has sent and received, without heartbeats. */
    long messages() {
        return sent + received;
    }

    @Override
    public void seated(Seat seat) {
        observer.seated(this, seat);
    }

    @Override
    public void cycleCalled(int cycle, String reason) {
        session.awaitSeat(cycle); // it has no ranks to end before
    }

    @Override
    public void nodeGone(String node) {
        observer.nodeGone();
    }

    @Override
    public void nodeLost(String name) {}

    @Override
    public void refused(String reason) {
        observer.failed(reason);
    }

    @Override
    public void nodesMissing(String reason) {
        observer.failed(reason);
    }

    @Override
    public void jobEnded(int code, String reason) {
        observer.failed(reason);
    }

    @Override
    public void drained(String reason) {
        observer.failed(reason);
    }

    @Override
    public void lost(String reason) {
        if (!isClosed) {
            observer.failed(reason);
        }
    }

    @Override
    public void noted(String line) {}

    @Override
    public void free() {}

    /** Ends as an agent that is killed does. */
    @Override
    public void close() {
        isClosed = true;
        connection.abandon();
        connection.close();
    }
}
