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
    // New objects of several restarts of 16,384 ranks have room, so that few of them wait for the collector.
    private static final String[] OPTIONS = {"-Xmx1g", "-Xmn640m", "-Dio.netty.leakDetection.level=disabled"};

    private final ScaleJob job;
    private final int jobs;
    private final int warmUp;
    private final int restarts;

    /**
     * Not started yet.
     *
     * @param jobs how many jobs, each with a server of its own, for a machine is faster in one minute than in the next
     * @param warmUp how many restarts of each are not counted, so that what is measured is the code and not its compilers
     * @param restarts how many are, behind these
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

    /** The least that it takes to tell all ranks something. */
    private List<Long> floors() throws IOException, InterruptedException {
        List<Long> nanos = new ArrayList<>();
        try (Target server = Servers.floor();
                Swarm swarm = new Swarm(server)) {
            swarm.connect(job.ranks() + 1);
            Step told = server.wire().awaitChange("");
            Step change = server.wire().change("");
            for (int i = 0; i < FAN_OUTS; i++) {
                swarm.beginAll(job.ranks(), rank -> told);
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
