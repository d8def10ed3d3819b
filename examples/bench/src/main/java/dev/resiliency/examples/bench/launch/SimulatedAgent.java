package dev.resiliency.examples.bench.launch;

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
import org.jspecify.annotations.Nullable;

/**
 * An agent without ranks: the session of a real one, and its connection. Confined to the thread of its {@link AgentsRun}, on
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
    private final AgentsRun run;
    private long messages;
    private boolean isClosed;

    /** Creates an agent of a job of this many nodes; it does not arrive yet. */
    SimulatedAgent(int number, int nodes, SessionStore connection, AgentsRun run) {
        this.run = run;
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
        session = new NodeSession(new Counting(connection), settings, task -> run.execute(() -> handle(task)), this);
    }

    private void handle(Runnable task) {
        messages++;
        run.received(this);
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
            messages++;
            return super.submit(operations, timeout);
        }

        @Override
        public void send(List<? extends Operation<?>> operations) {
            messages++;
            super.send(operations);
        }
    }

    void arrive() {
        session.arrive();
    }

    void callCycle(int number) {
        session.callCycle(number, "the benchmark", isCaller -> {});
    }

    /** Returns how many messages it has sent and received since the last call, without heartbeats. */
    long takeMessages() {
        long taken = messages;
        messages = 0;
        return taken;
    }

    /** Ignores from now on that it loses its connection. */
    void disregard() {
        isClosed = true;
    }

    @Override
    public void seated(Seat seat) {
        run.seated(this, seat);
    }

    @Override
    public void cycleCalled(int cycle, String reason) {
        session.awaitSeat(cycle); // it has no ranks to end before
    }

    @Override
    public void nodeGone(String node) {
        run.nodeGone();
    }

    @Override
    public void nodeLost(String name) {}

    @Override
    public void refused(String reason) {
        run.failed(reason);
    }

    @Override
    public void nodesMissing(String reason) {
        run.failed(reason);
    }

    @Override
    public void jobEnded(int code, String reason) {
        run.failed(reason);
    }

    @Override
    public void drained(String reason) {
        run.failed(reason);
    }

    @Override
    public void lost(String reason) {
        if (!isClosed) {
            run.failed(reason);
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
