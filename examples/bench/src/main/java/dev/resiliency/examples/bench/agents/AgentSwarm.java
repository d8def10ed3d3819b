package dev.resiliency.examples.bench.agents;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.store.spi.ClientGroup;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A process with some of the agents of a job, obeying {@link AgentFleet}: a command per line on standard input, an answer per
 * line on standard output. All but the input is confined to one thread.
 */
public final class AgentSwarm implements SimulatedAgent.Observer {
    private final StoreAddress store;
    private final int nodes;
    private final int first;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread agents = new Thread(task, "agents");
        agents.setDaemon(true);
        return agents;
    });
    private final ClientGroup connections = ClientGroup.create("agents");
    private final List<SimulatedAgent> agents = new ArrayList<>();
    /** Those that the current command waits for. */
    private final Set<SimulatedAgent> awaited = new HashSet<>();

    private Awaited what = Awaited.NOTHING;
    private int cycle;
    private long messagesBefore;

    /** What the agents are waited for. */
    private enum Awaited {
        NOTHING,
        /** A seat in the current cycle. */
        SEAT,
        /** Any message. */
        MESSAGE
    }

    private AgentSwarm(int port, int nodes, int first) {
        this.store = new StoreAddress("127.0.0.1", port, "");
        this.nodes = nodes;
        this.first = first;
    }

    /** Takes the port of the store, the number of nodes of the job, the first node of this process, and how many it has. */
    public static void main(String[] arguments) throws Exception {
        AgentSwarm swarm = new AgentSwarm(
                Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        swarm.connect(Integer.parseInt(arguments[3]));
        answer("connected");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                swarm.obey(line);
            }
        } catch (IOException e) {
            // The benchmark is gone.
        }
        Runtime.getRuntime().halt(0); // thousands of connections need no goodbye
    }

    private void connect(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            agents.add(connectNext());
        }
    }

    /** Connects the next agent. */
    private SimulatedAgent connectNext() throws InterruptedException {
        SessionStore connection = connections.connect(store, SimulatedAgent.PATIENCE, SimulatedAgent.PATIENCE);
        return new SimulatedAgent(first + agents.size(), nodes, connection, thread, this);
    }

    private void obey(String line) throws Exception {
        Future<?> done = thread.submit(() -> {
            obeyOnThread(line);
            return null;
        });
        done.get();
    }

    private void obeyOnThread(String line) throws InterruptedException {
        switch (line) {
            case "arrive" -> {
                await(Awaited.SEAT, agents);
                agents.forEach(SimulatedAgent::arrive);
            }
            case "await-message" -> {
                await(Awaited.MESSAGE, agents);
                answer("ready");
            }
            case "await-cycle" -> {
                cycle++;
                await(Awaited.SEAT, agents);
                answer("ready");
            }
            case "count-messages" -> answer("messages " + newMessages());
            case "call-cycle" -> agents.get(0).callCycle(cycle);
            case "lose-last" -> {
                SimulatedAgent last = agents.remove(agents.size() - 1);
                messagesBefore -= last.messages();
                arrived(last);
                last.close();
            }
            case "bring-last" -> {
                SimulatedAgent again = connectNext();
                agents.add(again);
                await(Awaited.SEAT, List.of(again));
                again.arrive();
            }
            default -> throw new IllegalArgumentException("not a command: " + line);
        }
    }

    private long newMessages() {
        return messages() - messagesBefore;
    }

    private void await(Awaited state, List<SimulatedAgent> whom) {
        what = state;
        messagesBefore = messages();
        awaited.clear();
        awaited.addAll(whom);
    }

    private long messages() {
        return agents.stream().mapToLong(SimulatedAgent::messages).sum();
    }

    @Override
    public void seated(SimulatedAgent agent, Seat seat) {
        if (what == Awaited.SEAT && seat.cycle() == cycle) {
            arrived(agent);
        }
    }

    @Override
    public void received(SimulatedAgent agent) {
        if (what == Awaited.MESSAGE) {
            arrived(agent);
        }
    }

    private void arrived(SimulatedAgent agent) {
        if (awaited.remove(agent) && awaited.isEmpty()) {
            what = Awaited.NOTHING;
            answer("done " + System.nanoTime() + " " + newMessages());
        }
    }

    @Override
    public void nodeGone() {
        answer("gone " + System.nanoTime());
    }

    @Override
    public void failed(@Nullable String reason) {
        answer("failed " + reason);
    }

    private static void answer(String line) {
        System.out.println(line);
    }
}
