package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.job.WorkDirectory;
import dev.resiliency.testing.FaultKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs one job after the other until the time is up. */
final class ChaosRun {
    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(20);

    private final int ranks;
    private final long seed;
    private final Duration duration;
    private final Set<FaultKind> kinds;
    private final Set<Disturbance> disturbances;
    private final boolean replaces;
    private final Progress progress;
    private final Tally tally = new Tally();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean cancelled;

    ChaosRun(
            int ranks,
            long seed,
            Duration duration,
            Set<FaultKind> kinds,
            Set<Disturbance> disturbances,
            boolean replaces,
            Progress progress) {
        this.ranks = ranks;
        this.seed = seed;
        this.duration = duration;
        this.kinds = kinds;
        this.disturbances = disturbances;
        this.replaces = replaces;
        this.progress = progress;
    }

    /** Runs all jobs; for each that breaks an invariant, keeps logs and timeline, and continues with the next one. */
    Tally run() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + duration.toNanos();
        try {
            for (int number = 1; !cancelled && System.nanoTime() < deadline; number++) {
                run(number, deadline);
            }
            return tally;
        } finally {
            over.countDown();
        }
    }

    private void run(int number, long deadline) throws IOException, InterruptedException {
        Dice dice = new Dice(seed, number, kinds, disturbances, replaces);
        JobSettings settings = dice.settings(number, ranks);
        progress.jobStarts(settings);
        tally.job();
        try (WorkDirectory directory = new WorkDirectory("resiliency-chaos-")) {
            ChaosJob job = new ChaosJob(settings, dice, directory.path(), tally, progress, () -> cancelled);
            job.run(deadline);
            job.stateOrigins().forEach(tally::recovered);
            if (!job.violations().isEmpty()) {
                directory.keep();
                tell(job, settings, directory.path());
            }
        }
    }

    private void tell(ChaosJob job, JobSettings settings, Path directory) throws IOException {
        Path file = directory.resolve("timeline.txt");
        job.timeline().write(file);
        job.timeline().lines().forEach(progress::say);
        progress.say("BROKEN with seed " + seed + " in " + settings);
        for (String violation : job.violations()) {
            progress.say("BROKEN: " + violation);
            tally.violation(settings.number(), violation, directory.toString());
        }
        progress.say("Logs of the ranks and timeline: " + directory);
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
