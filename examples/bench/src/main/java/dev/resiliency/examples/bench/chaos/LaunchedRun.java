package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.job.WorkDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs one launched job after the other until the time is up. */
final class LaunchedRun {
    private static final int NODES = 4;
    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(30);

    private final long seed;
    private final Duration duration;
    private final Progress progress;
    private final LaunchedTally tally = new LaunchedTally();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean cancelled; // written by the thread that cancels

    LaunchedRun(long seed, Duration duration, Progress progress) {
        this.seed = seed;
        this.duration = duration;
        this.progress = progress;
    }

    /** Runs all jobs; of each that breaks an invariant, keeps logs and timeline, and continues with the next one. */
    LaunchedTally run() throws IOException, InterruptedException {
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
        LaunchedDice dice = new LaunchedDice(seed, number);
        LaunchedSettings settings = dice.settings(NODES);
        progress.say(settings.toString());
        tally.job(settings);
        try (WorkDirectory directory = new WorkDirectory("resiliency-chaos-")) {
            LaunchedJob job = new LaunchedJob(settings, dice, directory.path(), tally, progress, () -> cancelled);
            job.run(deadline);
            if (!cancelled && !job.violations().isEmpty()) {
                directory.keep();
                tell(job, settings, directory.path());
            }
        }
    }

    private void tell(LaunchedJob job, LaunchedSettings settings, Path directory) throws IOException {
        job.timeline().write(directory.resolve("timeline.txt"));
        progress.say("BROKEN with seed " + seed + " in " + settings);
        for (String violation : job.violations()) {
            progress.say("BROKEN: " + violation);
            tally.violation(settings.number(), violation, directory.toString());
        }
        progress.say("Logs of the nodes and timeline: " + directory);
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
