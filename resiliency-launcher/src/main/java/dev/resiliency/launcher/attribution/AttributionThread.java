package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.log.LauncherLog;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread that gathers evidence and writes reports, which may wait for a store or a file system: the agent does not.
 *
 * <p>Thread: {@code resiliency-attribution}.
 */
final class AttributionThread {
    /** How long the agent may wait at its end for the last report. */
    private static final Duration LAST_REPORT = Duration.ofSeconds(5);

    private final LauncherLog log;
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>(); // written by any thread
    private @Nullable Thread thread; // of the thread of the agent

    AttributionThread(LauncherLog log) {
        this.log = log;
    }

    /** Returns what the thread does next. */
    Queue<Runnable> tasks() {
        return tasks;
    }

    void start(Reporter reporter) {
        Thread started = new Thread(() -> run(reporter), "resiliency-attribution");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private void run(Reporter reporter) {
        try {
            while (true) {
                Runnable task = tasks.poll(reporter.untilDue().toMillis() + 1, TimeUnit.MILLISECONDS);
                if (task != null) {
                    attempt(task);
                }
                attempt(reporter::reportIfDue);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** A report that cannot be written must not cost the next one. */
    private void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.line("no report could be written: " + e.getMessage());
        }
    }

    /** Writes what is known, within a few seconds: the agent ends. */
    void finish(FactWriter facts, Reporter reporter) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        long deadline = System.nanoTime() + LAST_REPORT.toNanos();
        Runnable finish = new Runnable() {
            @Override
            public void run() {
                boolean isLate = System.nanoTime() - deadline > 0;
                if (!isLate && (facts.isBusy() || reporter.awaitsFacts())) {
                    pause();
                    tasks.add(this); // behind what it waits for
                } else {
                    attempt(reporter::reportLast);
                    done.countDown();
                }
            }
        };
        tasks.add(finish);
        done.await(LAST_REPORT.toMillis(), TimeUnit.MILLISECONDS);
        if (thread != null) {
            thread.interrupt();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }
}
