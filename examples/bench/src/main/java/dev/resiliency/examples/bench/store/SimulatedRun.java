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

    /**
     * Measures a job with a server of its own, and then one of the same size that outlives the host of its store, which it loses in
     * the end.
     */
    public static SimulatedSeries.Job measure(SimulatedJob job) throws IOException, InterruptedException {
        List<Long> floors = new ArrayList<>(floors(job.ranks()));
        SimulatedSeries.Restarts plain;
        try (MeasuredServer server = MeasuredServer.ours(OPTIONS);
                Leader leader = new Leader(job, server.port());
                SimulatedRanks ranks = new SimulatedRanks(job, server)) {
            plain = restarts(server, leader, ranks);
        }
        SimulatedJob hosted = job.hosted();
        SimulatedSeries.Restarts agreed;
        long hostLost;
        try (MeasuredServer server = MeasuredServer.ours(OPTIONS);
                MeasuredServer next = MeasuredServer.ours(OPTIONS);
                Leader leader = new Leader(hosted, server.port());
                SimulatedRanks ranks = new SimulatedRanks(hosted, server)) {
            agreed = restarts(server, leader, ranks);
            hostLost = ranks.loseHost(next, leader);
        }
        floors.addAll(floors(job.ranks()));
        return new SimulatedSeries.Job(floors, plain, agreed, hostLost);
    }

    private static SimulatedSeries.Restarts restarts(MeasuredServer server, Leader leader, SimulatedRanks ranks)
            throws IOException {
        List<SimulatedSeries.Restart> restarts = new ArrayList<>();
        ranks.join(leader.join());
        for (int i = 0; i < WARM_UP + RESTARTS; i++) {
            restarts.add(ranks.restart(leader.restart()));
        }
        return new SimulatedSeries.Restarts(
                restarts.get(0),
                List.copyOf(restarts.subList(WARM_UP, restarts.size())),
                server.status().residentBytes());
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
