package dev.resiliency.examples.bench.scale;

import dev.resiliency.examples.bench.store.Servers;
import dev.resiliency.examples.bench.store.Step;
import dev.resiliency.examples.bench.store.Swarm;
import dev.resiliency.examples.bench.store.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures jobs of one size, one after the other: the floor, a job with several restarts, and the floor again. */
final class ScaleRun {
    private static final int FAN_OUTS = 12;
    // Room for the new objects of several restarts of 16,384 ranks, so that few restarts wait for the collector.
    private static final String[] OPTIONS = {"-Xmx1g", "-Xmn640m", "-Dio.netty.leakDetection.level=disabled"};

    private final ScaleJob job;
    private final int jobs;
    private final int warmUp;
    private final int restarts;

    /**
     * Creates a run that is not started yet.
     *
     * @param jobs number of jobs, each with a server of its own, since the speed of a machine varies by the minute
     * @param warmUp number of restarts of each job that are not counted, while code is being compiled
     * @param restarts number of counted restarts after these
     */
    ScaleRun(ScaleJob job, int jobs, int warmUp, int restarts) {
        this.job = job;
        this.jobs = jobs;
        this.warmUp = warmUp;
        this.restarts = restarts;
    }

    ScaleRow measure() throws IOException, InterruptedException {
        List<MeasuredJob> measured = new ArrayList<>();
        for (int i = 1; i <= jobs; i++) {
            System.err.printf("%d ranks: job %d of %d...%n", job.ranks(), i, jobs);
            measured.add(measureJob());
        }
        return ScaleRow.of(job.ranks(), measured);
    }

    private MeasuredJob measureJob() throws IOException, InterruptedException {
        List<Long> floors = new ArrayList<>(floors());
        List<ScaleSample> samples = new ArrayList<>();
        long residentBytes;
        long peakBytes;
        try (Target server = Servers.ours(OPTIONS);
                Leader leader = new Leader(job, server.port());
                SimulatedRanks ranks = new SimulatedRanks(job, server)) {
            ranks.join(leader.join());
            for (int i = 0; i < warmUp + restarts; i++) {
                samples.add(ranks.restart(leader.restart()));
            }
            residentBytes = server.process().residentBytes();
            peakBytes = server.process().peakBytes();
        }
        floors.addAll(floors());
        return MeasuredJob.of(floors, samples, warmUp, residentBytes, peakBytes);
    }

    /** Measures the least time that it takes to send all ranks a message. */
    private List<Long> floors() throws IOException, InterruptedException {
        List<Long> nanos = new ArrayList<>();
        try (Target server = Servers.floor();
                Swarm swarm = new Swarm(server)) {
            swarm.connect(job.ranks() + 1);
            Step notified = server.wire().awaitChange("");
            Step change = server.wire().change("");
            for (int i = 0; i < FAN_OUTS; i++) {
                swarm.beginAll(job.ranks(), rank -> notified);
                swarm.settle();
                long start = System.nanoTime();
                swarm.begin(swarm.connections().get(job.ranks()), change);
                swarm.finish();
                nanos.add(System.nanoTime() - start);
            }
        }
        return nanos;
    }
}
