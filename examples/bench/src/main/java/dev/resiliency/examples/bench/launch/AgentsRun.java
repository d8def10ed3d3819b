package dev.resiliency.examples.bench.launch;

import dev.resiliency.examples.bench.measure.Inbox;
import dev.resiliency.examples.bench.store.Servers;
import dev.resiliency.examples.bench.store.Target;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.store.spi.ClientGroup;
import dev.resiliency.store.spi.StoreAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures a job of many agents: they meet, one of them is killed and comes again, and all meet again in the next cycle. Confined
 * to one thread, on which the sessions of all agents handle their answers, too.
 */
final class AgentsRun implements AutoCloseable {
    private static final String[] OPTIONS = {"-Xmx1g", "-Dio.netty.leakDetection.level=disabled"};
    private static final Duration SETTLING = Duration.ofMillis(500);
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private final int nodes;
    private final Target server;
    private final ClientGroup connections = ClientGroup.create("agents");
    private final Inbox inbox = new Inbox();
    private final List<SimulatedAgent> agents = new ArrayList<>();
    /** Those that a phase waits for. */
    private final Set<SimulatedAgent> awaited = new HashSet<>();

    private boolean awaitsMessages;
    private int cycle;
    private long endedAt;
    private long goneAt;
    private @Nullable String failure;

    private AgentsRun(int nodes, Target server) {
        this.nodes = nodes;
        this.server = server;
    }

    /** Measures a job of this many agents, on a store server of its own. */
    static AgentsRow measure(int nodes) throws IOException, InterruptedException {
        try (Target server = Servers.ours(OPTIONS);
                AgentsRun run = new AgentsRun(nodes, server)) {
            return run.measure();
        }
    }

    private AgentsRow measure() throws IOException, InterruptedException {
        for (int i = 0; i < nodes; i++) {
            agents.add(connect(i));
        }
        takeMessages();
        long cpu = server.cpuMillis();
        long rendezvous = phase("all agents have seats", agents, () -> agents.forEach(SimulatedAgent::arrive));
        double rendezvousMessages = (double) takeMessages() / nodes;
        long rendezvousCpu = server.cpuMillis() - cpu;
        settle();

        SimulatedAgent last = agents.remove(nodes - 1);
        awaitsMessages = true;
        long start = System.nanoTime();
        long known = phase("all know that an agent is lost", agents, last::close);
        awaitsMessages = false;
        await("the lowest agent has acted on it", () -> goneAt != 0);
        settle();
        double knownMessages = (double) takeMessages() / (nodes - 1);

        SimulatedAgent again = connect(nodes - 1);
        agents.add(again);
        long returned = phase("the lost agent has a seat again", List.of(again), again::arrive);
        settle();
        takeMessages();

        cycle++;
        long next = phase(
                "all agents have seats in the next cycle",
                agents,
                () -> agents.get(0).callCycle(cycle));
        return new AgentsRow(
                nodes,
                rendezvous,
                rendezvousMessages,
                rendezvousCpu,
                known,
                goneAt - start,
                knownMessages,
                returned,
                next,
                (double) takeMessages() / nodes,
                server.process().residentBytes());
    }

    private SimulatedAgent connect(int number) throws InterruptedException {
        StoreAddress store = new StoreAddress("127.0.0.1", server.port(), "");
        return new SimulatedAgent(
                number, nodes, connections.connect(store, SimulatedAgent.PATIENCE, SimulatedAgent.PATIENCE), this);
    }

    /** Returns how long it takes from this beginning until it is over for the last of these agents. */
    private long phase(String what, List<SimulatedAgent> whom, Runnable beginning) throws InterruptedException {
        awaited.addAll(whom);
        long start = System.nanoTime();
        beginning.run();
        await(what, awaited::isEmpty);
        return endedAt - start;
    }

    private void await(String what, BooleanSupplier condition) throws InterruptedException {
        inbox.require(what, LIMIT, () -> failure != null || condition.getAsBoolean());
        if (failure != null) {
            throw new IllegalStateException("an agent cannot go on: " + failure);
        }
    }

    private void settle() throws InterruptedException {
        inbox.await(SETTLING, () -> false);
    }

    /** Returns how many messages all agents have sent and received since the last call. */
    private long takeMessages() {
        return agents.stream().mapToLong(SimulatedAgent::takeMessages).sum();
    }

    /** Runs a task on the thread of this run. */
    void execute(Runnable task) {
        inbox.add(task);
    }

    /** An agent has a seat in a cycle. */
    void seated(SimulatedAgent agent, Seat seat) {
        if (!awaitsMessages && seat.cycle() == cycle) {
            isOverFor(agent);
        }
    }

    /** An agent has received a message. */
    void received(SimulatedAgent agent) {
        if (awaitsMessages) {
            isOverFor(agent);
        }
    }

    private void isOverFor(SimulatedAgent agent) {
        if (awaited.remove(agent)) {
            endedAt = System.nanoTime();
        }
    }

    /** The agent with the lowest number has learned that a node is gone. */
    void nodeGone() {
        goneAt = System.nanoTime();
    }

    /** An agent cannot go on. */
    void failed(String reason) {
        failure = reason;
    }

    @Override
    public void close() {
        agents.forEach(SimulatedAgent::disregard);
        connections.close();
    }
}
