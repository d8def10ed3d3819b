package dev.resiliency.examples.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Follows a job to its end and shows it; another thread may cancel that. */
final class Audience {
    private static final Duration FRAME = Duration.ofMillis(100);
    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(20);

    private final Display display;
    private final Watchdog watchdog;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean cancelled; // set once, by the thread that cancels

    Audience(Display display, Duration patience) {
        this.display = display;
        watchdog = new Watchdog(patience);
    }

    /** Follows the job until it is over, makes no progress, or this is cancelled. */
    void follow(RunningJob job, Scoreboard board, long start) throws IOException, InterruptedException {
        while (!job.isOver()) {
            Runnable event = job.await(FRAME);
            if (cancelled) {
                return; // the same Ctrl-C ends the ranks
            }
            job.handle(event);
            display.update(board, Duration.ofNanos(System.nanoTime() - start));
            if (watchdog.standsStill(board, System.nanoTime())) {
                board.problem(watchdog.complaint(board));
                return;
            }
        }
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** Records that no process is left. */
    void over() {
        over.countDown();
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
}
