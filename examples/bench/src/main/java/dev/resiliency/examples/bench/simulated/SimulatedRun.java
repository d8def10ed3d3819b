package dev.resiliency.examples.bench.simulated;

import dev.resiliency.examples.bench.store.MeasuredServer;
import dev.resiliency.examples.bench.store.Swarm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures jobs of one size, one after the other: the floor, a job with several restarts, and the floor again. */
public final class SimulatedRun {
    /** What many machines allow is 20,000 descriptors per process; some are needed otherwise. */
    public static final int MOST_RANKS = 19_000;

    private static final int WARM_UP = 10; // restarts that do not count, while code is being compiled
    private static final int RESTARTS = 5;
    private static final int FAN_OUTS = 12;
    // Room for the new objects of several restarts of 16,384 ranks, so that few restarts wait for the collector.
    private static final String[] OPTIONS = {"-Xmx1g", "-Xmn640m", "-Dio.netty.leakDetection.level=disabled"};

    private SimulatedRun() {}

    /** Measures so many jobs, each with a server of its own, since the speed of a machine varies by the minute. */
    public static SimulatedSeries measure(int ranks, int jobs) throws IOException, InterruptedException {
        List<SimulatedSeries.Job> measured = new ArrayList<>();
        for (int i = 1; i <= jobs; i++) {
            System.err.printf("%d simulated ranks: job %d of %d...%n", ranks, i, jobs);
            measured.add(measure(new SimulatedJob(ranks)));
        }
        return SimulatedSeries.of(ranks, measured);
    }

    private static SimulatedSeries.Job measure(SimulatedJob job) throws IOException, InterruptedException {
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
        List<Long> nanos = new ArrayList<>();
        try (MeasuredServer server = MeasuredServer.floor();
                Swarm swarm = new Swarm(server)) {
            swarm.connect(ranks + 1);
            for (int i = 0; i < FAN_OUTS; i++) {
                nanos.add(swarm.fanOut(server.wire(), ""));
            }
        }
        return nanos;
    }
}
