package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Inbox;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What all who direct a job share: its state, its events, and the end of waiting when an invariant is broken. Confined to
 * the thread of the job.
 */
final class JobControl {
    final JobSettings settings;
    final ChaosPlan plan;
    final Path directory;
    final ChaosRun run;
    final Tally tally;
    final Timeline timeline = new Timeline(System.nanoTime());
    final JobBoard board;
    final Inbox inbox;
    /** What to do while waiting. */
    private Runnable meanwhile = () -> {};

    JobControl(JobSettings settings, ChaosPlan plan, Path directory, ChaosRun run) {
        this.settings = settings;
        this.plan = plan;
        this.directory = directory;
        this.run = run;
        tally = run.tally();
        inbox = new Inbox(run::isCancelled);
        board = new JobBoard(settings, timeline);
    }

    /** Sets what is done again and again while waiting. */
    void meanwhile(Runnable task) {
        meanwhile = task;
    }

    /** Handles events until the condition holds; returns false if it does not within the limit. */
    boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        return inbox.await(limit, () -> {
            meanwhile.run();
            return condition.getAsBoolean();
        });
    }

    void broken(String what) {
        if (!run.isCancelled()) {
            board.violation(what);
        }
    }

    /** Returns whether the job must end, since an invariant is broken or the run is cancelled. */
    boolean isBroken() {
        return run.isCancelled() || !board.violations().isEmpty();
    }
}
