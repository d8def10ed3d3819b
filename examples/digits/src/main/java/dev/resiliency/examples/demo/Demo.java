package dev.resiliency.examples.demo;

import dev.resiliency.examples.job.WorkDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs one job to its end, shows it, judges it, and leaves nothing behind. */
final class Demo {
    private final Scenario scenario;
    private final RankProgram program;
    private final Audience audience;
    private final Scoreboard board;

    Demo(Scenario scenario, RankProgram program, Display display, Duration patience) {
        this.scenario = scenario;
        this.program = program;
        audience = new Audience(display, patience);
        board = new Scoreboard(scenario);
    }

    /** Runs the job to its end; returns nothing if it was cancelled. */
    Optional<DemoOutcome> run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (WorkDirectory directory = new WorkDirectory("resiliency-demo-")) {
            try (Launcher launcher = new Launcher(scenario, program, directory.path())) {
                SupervisedJob job = new SupervisedJob(board, launcher);
                job.start();
                audience.follow(job, board, start);
            }
            return audience.isCancelled() ? Optional.empty() : Optional.of(judge(directory, start));
        } finally {
            audience.over();
        }
    }

    private DemoOutcome judge(WorkDirectory directory, long start) {
        List<String> problems = Verdict.problems(board);
        if (!problems.isEmpty()) {
            directory.keep();
        }
        Duration wall = Duration.ofNanos(System.nanoTime() - start);
        return new DemoOutcome(DemoReport.of(board, wall), problems, directory.path());
    }

    /** Ends the job from another thread, and waits until no process is left; does nothing if it is over. */
    void cancel() {
        audience.cancel();
    }
}
