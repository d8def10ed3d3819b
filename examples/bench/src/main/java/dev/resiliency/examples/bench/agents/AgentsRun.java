package dev.resiliency.examples.bench.agents;

import dev.resiliency.examples.bench.store.Servers;
import dev.resiliency.examples.bench.store.Target;
import dev.resiliency.examples.job.WorkDirectory;
import java.io.IOException;

/** Measures a job of many agents: they meet, one of them is killed and comes again, and all meet again in the next cycle. */
public final class AgentsRun {
    private static final String[] OPTIONS = {"-Xmx1g", "-Dio.netty.leakDetection.level=disabled"};
    private static final int SETTLING_MILLIS = 500;

    private AgentsRun() {}

    /** Measures a job of this many agents, on a store server of its own. */
    public static AgentsRow measure(int nodes) throws IOException, InterruptedException {
        try (WorkDirectory directory = new WorkDirectory("resiliency-agents-");
                Target server = Servers.ours(OPTIONS);
                AgentFleet fleet = new AgentFleet(nodes, server.port(), directory.path())) {
            try {
                return measure(nodes, server, fleet);
            } catch (IllegalStateException e) {
                directory.keep();
                throw new IllegalStateException(
                        "%d agents: %s; logs: %s".formatted(nodes, e.getMessage(), directory.path()), e);
            }
        }
    }

    private static AgentsRow measure(int nodes, Target server, AgentFleet fleet)
            throws IOException, InterruptedException {
        long cpu = server.cpuMillis();
        long start = System.nanoTime();
        fleet.tellAll("arrive");
        AgentFleet.Done met = fleet.awaitDone(fleet.processes());
        long rendezvous = met.nanos() - start;
        long cpuOfRendezvous = server.cpuMillis() - cpu;
        Thread.sleep(SETTLING_MILLIS);

        fleet.prepare("await-message");
        start = System.nanoTime();
        fleet.tellLast("lose-last");
        long known = fleet.awaitDone(fleet.processes()).nanos() - start;
        long reported = fleet.awaitGone() - start;
        Thread.sleep(SETTLING_MILLIS);
        long knownMessages = fleet.messages();

        start = System.nanoTime();
        fleet.tellLast("bring-last");
        long again = fleet.awaitDone(1).nanos() - start;
        Thread.sleep(SETTLING_MILLIS);

        fleet.prepare("await-cycle");
        start = System.nanoTime();
        fleet.tellFirst("call-cycle");
        AgentFleet.Done cycled = fleet.awaitDone(fleet.processes());
        return new AgentsRow(
                nodes,
                rendezvous,
                (double) met.messages() / nodes,
                cpuOfRendezvous,
                known,
                reported,
                (double) knownMessages / (nodes - 1),
                again,
                cycled.nanos() - start,
                (double) cycled.messages() / nodes,
                server.process().residentBytes());
    }
}
