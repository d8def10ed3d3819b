package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.chaos.Tally.Count;
import dev.resiliency.examples.job.WorkDirectory;
import dev.resiliency.store.Value;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs one job after the other until the time is up, wherever their ranks live. */
final class ChaosRun {
    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(30);
    private static final int LONGEST_LINE = 4 << 10;

    private final long start = System.nanoTime();
    private final long seed;
    private final Duration duration;
    private final boolean launched;
    private final int ranks;
    private final PrintStream out;
    private final Tally tally = new Tally();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean cancelled; // written by the thread that cancels

    /**
     * Creates a run.
     *
     * @param ranks of each job, if it is not under agents
     */
    ChaosRun(long seed, Duration duration, boolean launched, int ranks, PrintStream out) {
        this.seed = seed;
        this.duration = duration;
        this.launched = launched;
        this.ranks = ranks;
        this.out = out;
    }

    private ChaosJob job(int number, Path directory) throws IOException {
        return launched
                ? new AgentJob(new NodePlan(seed, number), directory, this)
                : new OwnJob(new ChaosPlan(seed, number, ranks), directory, this);
    }

    /** Runs all jobs; for each that breaks an invariant, keeps logs and timeline, and continues with the next one. */
    Tally run() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + duration.toNanos();
        try {
            for (int number = 1; !cancelled && System.nanoTime() < deadline; number++) {
                try (WorkDirectory directory = new WorkDirectory("resiliency-chaos-")) {
                    tally.add(Count.JOBS, 1);
                    ChaosJob job = job(number, directory.path());
                    job.run(deadline);
                    if (!cancelled && job.isBroken()) {
                        directory.keep();
                        tell(job);
                    }
                }
            }
            return tally;
        } finally {
            over.countDown();
        }
    }

    private void tell(ChaosJob job) throws IOException {
        Files.write(job.directory.resolve("timeline.txt"), job.timeline.lines());
        job.timeline.lines().forEach(this::say);
        say("BROKEN with seed " + seed + " in " + job);
        for (String violation : job.board.violations()) {
            say("BROKEN: " + violation);
            tally.violation(job.number(), violation, job.directory.toString());
        }
        say("Logs and timeline: " + job.directory);
    }

    Tally tally() {
        return tally;
    }

    /** Prints a line; other processes may have written a part of it. */
    void say(String line) {
        out.println("[%6.1f s] %s".formatted((System.nanoTime() - start) / 1e9, Value.printable(line, LONGEST_LINE)));
        out.flush();
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** Ends the run from another thread, and waits until no process is left; does nothing if it is over. */
    void cancel() {
        cancelled = true;
        try {
            over.await(CANCEL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
