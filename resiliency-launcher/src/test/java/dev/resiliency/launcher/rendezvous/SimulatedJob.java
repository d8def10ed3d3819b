package dev.resiliency.launcher.rendezvous;

import dev.resiliency.launcher.monitor.SectionSummary;
import dev.resiliency.launcher.status.NodeSnapshot;
import dev.resiliency.launcher.status.RankSnapshot;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** Writes to a store what the agents of many nodes write, by the same keys. */
public final class SimulatedJob {
    private final SessionStore store;
    private final int nodes;
    private final int processes;
    private long events;

    /** Creates a job whose nodes are all there, in their seats. */
    public SimulatedJob(SessionStore session, String jobId, int nodes, int processes)
            throws InterruptedException, ExecutionException {
        store = new PrefixStore(Keys.prefix(jobId), session);
        this.nodes = nodes;
        this.processes = processes;
        Batch batch = store.batch();
        batch.add(new Operation.Set(Keys.TERMS, Value.of(new Terms(nodes, processes, "soft", 0, true).text())));
        for (int node = 0; node < nodes; node++) {
            batch.add(new Operation.Set(Keys.node(node), Value.of(node(node).text())));
            batch.add(new Operation.Set(Keys.seat(0, node), Value.of(new Seat(0, node, nodes, processes).text())));
        }
        batch.add(new Operation.AddToSet(Keys.CAME, IndexSet.range(0, nodes)));
        batch.submit(store.timeout()).get();
    }

    private Node node(int number) {
        return new Node(number, name(number), "10.0.%d.%d".formatted(number / 250, number % 250 + 1), number, "");
    }

    /** Returns the name of a node. */
    public static String name(int node) {
        return "gpu-%04d".formatted(node);
    }

    /** Writes what a node knows of its ranks. */
    public void publish(int node, NodeSnapshot snapshot) throws InterruptedException {
        store.set(Keys.ranks(node), snapshot.json());
    }

    /** Returns a rank that trains. */
    public RankSnapshot training(int node, int process, long step) {
        long now = System.currentTimeMillis();
        int rank = node * processes + process;
        return new RankSnapshot(
                process,
                rank,
                "running",
                40_000L + rank,
                0,
                now - 3_600_000,
                step,
                rank % 3 == 0 ? "forward" : rank % 3 == 1 ? "backward" : "all-reduce",
                now - 40L * (rank % 7),
                now - 150L * (rank % 5),
                0,
                rank);
    }

    /** Writes that all ranks of a node train. */
    public void train(int node, long step) throws InterruptedException {
        publish(
                node,
                new NodeSnapshot(
                        System.currentTimeMillis(),
                        java.util.stream.IntStream.range(0, processes)
                                .mapToObj(process -> training(node, process, step))
                                .toList(),
                        sections()));
    }

    /** Returns what each node knows of the sections; two have a limit, which one came near to. */
    public static List<SectionSummary> sections() {
        return List.of(
                new SectionSummary("", 61_877, 0.212, 0.244, 1.904, 0),
                new SectionSummary("all-reduce", 41_251, 0.031, 0.045, 0.251, 30),
                new SectionSummary("backward", 41_251, 0.121, 0.139, 4.1, 4.5),
                new SectionSummary("forward", 41_251, 0.058, 0.061, 0.204, 0));
    }

    /** Counts a node as lost. */
    public void lose(int node) throws InterruptedException {
        store.addToSet(Keys.GONE, IndexSet.of(node));
        event(name(0), JobEvent.Kind.NODE_LOST, "node %s is lost".formatted(node(node)), 0);
    }

    /** Writes an event that happened so many milliseconds ago. */
    public void event(String node, JobEvent.Kind kind, String text, long ago) throws InterruptedException {
        event(node, kind, text, Instant.now().minusMillis(ago));
    }

    /** Writes an event that happened then. */
    public void event(String node, JobEvent.Kind kind, String text, Instant time) throws InterruptedException {
        store.set(Keys.event(++events), JobEvent.write(time, node, kind, text));
    }

    /** Writes a report. */
    public void report(int number, String json) throws InterruptedException {
        store.set(Keys.REPORT_PREFIX + number, json);
    }

    /** Returns how many nodes it has. */
    public int nodes() {
        return nodes;
    }
}
