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
    private final JobSettings settings;
    private final Dice dice;
    private final Path directory;
    private final Tally tally;
    private final Progress progress;
    private final BooleanSupplier isCancelled;
    private final Timeline timeline = new Timeline(System.nanoTime());
    private final JobBoard board;
    private final Inbox inbox;
    /** What to do while waiting. */
    private Runnable meanwhile = () -> {};

    JobControl(
            JobSettings settings,
            Dice dice,
            Path directory,
            Tally tally,
            Progress progress,
            BooleanSupplier isCancelled) {
        this.settings = settings;
        this.dice = dice;
        this.directory = directory;
        this.tally = tally;
        this.progress = progress;
        this.isCancelled = isCancelled;
        inbox = new Inbox(isCancelled);
        board = new JobBoard(settings, timeline);
    }

    JobSettings settings() {
        return settings;
    }

    Dice dice() {
        return dice;
    }

    Path directory() {
        return directory;
    }

    Tally tally() {
        return tally;
    }

    Progress progress() {
        return progress;
    }

    Timeline timeline() {
        return timeline;
    }

    JobBoard board() {
        return board;
    }

    Inbox inbox() {
        return inbox;
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
        if (!isCancelled()) {
            board.violation(what);
        }
    }

    /** Returns whether the job must end, since an invariant is broken or the run is cancelled. */
    boolean isBroken() {
        return isCancelled() || !board.violations().isEmpty();
    }

    boolean isCancelled() {
        return isCancelled.getAsBoolean();
    }
}
