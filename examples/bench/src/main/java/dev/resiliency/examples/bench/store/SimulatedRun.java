package dev.resiliency.examples.bench.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures one job: the floor, several restarts, and the floor again. */
public final class SimulatedRun {
    private static final int WARM_UP = 10; // restarts that do not count, while code is being compiled
    private static final int RESTARTS = 5;
    private static final int FAN_OUTS = 12;
    // Room for the new objects of several restarts of 16,384 ranks, so that few restarts wait for the collector.
    private static final String[] OPTIONS = {"-Xmx1g", "-Xmn640m", "-Dio.netty.leakDetection.level=disabled"};

    private SimulatedRun() {}

    /** Measures a job with a server of its own. */
    public static SimulatedSeries.Job measure(SimulatedJob job) throws IOException, InterruptedException {
        List<Long> floors = new ArrayList<>(floors(job.ranks()));
        List<SimulatedSeries.Restart> restarts = new ArrayList<>();
        long residentBytes;
        try (MeasuredServer server = MeasuredServer.ours(OPTIONS);
                Leader leader = new Leader(job, server.port());
                SimulatedRanks ranks = new SimulatedRanks(job, server)) {
            ranks.join(leader.join());
            for (int i = 0; i < WARM_UP + RESTARTS; i++) {
                restarts.add(ranks.restart(leader.restart()));
            }
            residentBytes = server.status().residentBytes();
        }
        floors.addAll(floors(job.ranks()));
        List<SimulatedSeries.Restart> counted = List.copyOf(restarts.subList(WARM_UP, restarts.size()));
        return new SimulatedSeries.Job(floors, restarts.get(0), counted, residentBytes);
    }

    /** Measures the least time that it takes to send all ranks a message. */
    private static List<Long> floors(int ranks) throws IOException, InterruptedException {
        try (MeasuredServer server = MeasuredServer.floor();
                Swarm swarm = new Swarm(server)) {
            swarm.connect(ranks);
            return swarm.fanOuts(FAN_OUTS, "");
        }
    }
}
