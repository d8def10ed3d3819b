package dev.resiliency.examples.bench.scale;

import dev.resiliency.examples.bench.store.Servers;
import dev.resiliency.examples.bench.store.Target;
import dev.resiliency.inprocess.RestartReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures jobs of one size into which many processes come at once: several restarts without them, and the one that takes
 * them in. Each is the second job of its server, since the first is slowed down by code that has never run.
 */
final class JoinRun {
    /** The leader waits for a second for more of them; if it took them in one by one, another restart would follow. */
    private static final Duration NO_FURTHER = Duration.ofSeconds(3);
    /** A rank that has run for a second requests its next state. */
    private static final Duration UNTIL_REQUESTED = Duration.ofMillis(1200);

    private final int size;
    private final int joiners;
    private final int jobs;
    private final int warmUp;
    private final int restarts;

    /**
     * Creates a run that is not started yet.
     *
     * @param size number of ranks of a job
     * @param jobs number of jobs, each with a server of its own
     * @param warmUp number of restarts of each job that are not counted, while code is being compiled
     * @param restarts number of counted restarts without those who come
     */
    JoinRun(int size, int joiners, int jobs, int warmUp, int restarts) {
        this.size = size;
        this.joiners = joiners;
        this.jobs = jobs;
        this.warmUp = warmUp;
        this.restarts = restarts;
    }

    JoinRow measure() throws IOException, InterruptedException {
        List<JoinSample> samples = new ArrayList<>();
        for (int i = 1; i <= jobs; i++) {
            System.err.printf("%d ranks, %d more: job %d of %d...%n", size, joiners, i, jobs);
            samples.add(measureJob());
        }
        return JoinRow.of(size, joiners, samples);
    }

    private JoinSample measureJob() throws IOException, InterruptedException {
        try (Target server = Servers.ours(ScaleRun.OPTIONS)) {
            Admission first = measureJob(server, new ScaleJob(size, "first"), new ArrayList<>(), 0);
            List<Long> without = new ArrayList<>();
            Admission admission = measureJob(server, new ScaleJob(size, "measured"), without, warmUp + restarts);
            return new JoinSample(
                    first.nanos(),
                    List.copyOf(without.subList(warmUp, without.size())),
                    admission.nanos(),
                    Math.max(first.restarts(), admission.restarts()),
                    admission.joined());
        }
    }

    /**
     * Measures one job.
     *
     * @param without receives the nanoseconds of each restart without joiners
     * @param count number of these
     */
    private Admission measureJob(Target server, ScaleJob job, List<Long> without, int count)
            throws IOException, InterruptedException {
        try (SimulatedRanks ranks = new SimulatedRanks(job, server);
                LeadingRank leader = new LeadingRank(job, server.port(), joiners)) {
            ranks.join();
            leader.awaitStart();
            for (int i = 0; i < count; i++) {
                Thread.sleep(UNTIL_REQUESTED.toMillis());
                SimulatedRanks.Restart restart = ranks.restart();
                without.add(Math.max(restart.last(), placedAt(leader.awaitRestart())) - restart.start());
            }
            try (JoiningRanks joining = new JoiningRanks(job, joiners, server.port())) {
                return takeIn(ranks, leader, joining);
            }
        }
    }

    /**
     * How those who came were taken in.
     *
     * @param nanos of the restart that took them in
     * @param restarts how many restarts it took to take in all of them
     * @param joined how many came with the first of these
     */
    private record Admission(long nanos, int restarts, int joined) {}

    private static Admission takeIn(SimulatedRanks ranks, LeadingRank leader, JoiningRanks joining)
            throws IOException, InterruptedException {
        long before = leader.interruptions();
        SimulatedRanks.Restart restart = ranks.restartCausedBy(joining::announce);
        RestartReport report = leader.awaitRestart();
        long admitted = joining.awaitAll(report.state().iteration());
        int further = 0;
        while (leader.restartsWithin(NO_FURTHER)) {
            further++;
        }
        long interrupted = leader.interruptions() - before;
        long start = leader.interruptedAt();
        return new Admission(
                Math.max(Math.max(restart.last(), admitted), placedAt(report)) - start,
                (int) Math.max(interrupted, 1 + further),
                report.joined().size());
    }

    private static long placedAt(RestartReport report) {
        return report.knownAt() + report.total().toNanos();
    }
}
