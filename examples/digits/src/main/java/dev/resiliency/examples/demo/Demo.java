package dev.resiliency.examples.demo;

import dev.resiliency.examples.job.WorkDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs one job to its end, shows it, judges it, and leaves nothing behind. */
final class Demo {
    private static final Duration FRAME = Duration.ofMillis(100);
    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(20);

    private final Scenario scenario;
    private final RankProgram program;
    private final Display display;
    private final Watchdog watchdog;
    private final Scoreboard board;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean cancelled;

    Demo(Scenario scenario, RankProgram program, Display display, Duration patience) {
        this.scenario = scenario;
        this.program = program;
        this.display = display;
        watchdog = new Watchdog(patience);
        board = new Scoreboard(scenario);
    }

    /** Runs the job to its end; returns nothing if it was cancelled. */
    Optional<DemoOutcome> run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (WorkDirectory directory = new WorkDirectory("resiliency-demo-")) {
            try (Launcher launcher = new Launcher(scenario, program, directory.path())) {
                SupervisedJob job = new SupervisedJob(board, launcher);
                job.start();
                watch(job, start);
            }
            return cancelled ? Optional.empty() : Optional.of(judge(directory, since(start)));
        } finally {
            over.countDown();
        }
    }

    private void watch(SupervisedJob job, long start) throws IOException, InterruptedException {
        while (!job.isOver()) {
            Runnable event = job.await(FRAME);
            if (cancelled) {
                return; // the same Ctrl-C ends the ranks
            }
            job.handle(event);
            display.update(board, since(start));
            if (watchdog.standsStill(board, System.nanoTime())) {
                board.problem(watchdog.complaint(board));
                return;
            }
        }
    }

    private DemoOutcome judge(WorkDirectory directory, Duration wall) {
        List<String> problems = Verdict.problems(board);
        if (!problems.isEmpty()) {
            directory.keep();
        }
        return new DemoOutcome(DemoReport.of(board, wall), problems, directory.path());
    }

    /** Ends the job from another thread, and waits until no process is left; does nothing if it is over. */
    void cancel() {
        cancelled = true;
        try {
            over.await(CANCEL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
