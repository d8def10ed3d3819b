package dev.resiliency.examples.bench.scale;

import dev.resiliency.examples.bench.store.Servers;
import dev.resiliency.examples.bench.store.Target;
import dev.resiliency.inprocess.RestartReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures jobs of one size into which many processes come at once: several restarts without them, and then the one that
 * takes them in.
 */
final class JoinRun {
    /** The leader waits for a second for more of them; if it took them in one by one, another restart would follow. */
    private static final Duration NO_FURTHER = Duration.ofSeconds(3);
    /** A rank that has run for a second requests its next state. */
    private static final Duration UNTIL_REQUESTED = Duration.ofMillis(1200);

    private final ScaleJob job;
    private final int joiners;
    private final int jobs;
    private final int warmUp;
    private final int restarts;

    /**
     * Creates a run that is not started yet.
     *
     * @param jobs number of jobs, each with a server of its own
     * @param warmUp number of restarts of each job that are not counted, while code is being compiled
     * @param restarts number of counted restarts without those who come
     */
    JoinRun(ScaleJob job, int joiners, int jobs, int warmUp, int restarts) {
        this.job = job;
        this.joiners = joiners;
        this.jobs = jobs;
        this.warmUp = warmUp;
        this.restarts = restarts;
    }

    JoinRow measure() throws IOException, InterruptedException {
        List<JoinSample> samples = new ArrayList<>();
        for (int i = 1; i <= jobs; i++) {
            System.err.printf("%d ranks, %d more: job %d of %d...%n", job.ranks(), joiners, i, jobs);
            samples.add(measureJob());
        }
        return JoinRow.of(job.ranks(), joiners, samples);
    }

    private JoinSample measureJob() throws IOException, InterruptedException {
        try (Target server = Servers.ours(ScaleRun.OPTIONS);
                SimulatedRanks ranks = new SimulatedRanks(job, server);
                LeadingRank leader = new LeadingRank(job, server.port(), joiners)) {
            ranks.join();
            leader.awaitStart();
            List<Long> without = new ArrayList<>();
            for (int i = 0; i < warmUp + restarts; i++) {
                Thread.sleep(UNTIL_REQUESTED.toMillis());
                SimulatedRanks.Restart restart = ranks.restart();
                without.add(Math.max(restart.last(), placedAt(leader.awaitRestart())) - restart.start());
            }
            try (JoiningRanks joining = new JoiningRanks(job, joiners, server.port())) {
                return takeIn(ranks, leader, joining, without.subList(warmUp, without.size()));
            }
        }
    }

    private JoinSample takeIn(SimulatedRanks ranks, LeadingRank leader, JoiningRanks joining, List<Long> without)
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
        return new JoinSample(
                List.copyOf(without),
                Math.max(Math.max(restart.last(), admitted), placedAt(report)) - start,
                (int) Math.max(interrupted, 1 + further),
                report.joined().size());
    }

    private static long placedAt(RestartReport report) {
        return report.knownAt() + report.total().toNanos();
    }
}
