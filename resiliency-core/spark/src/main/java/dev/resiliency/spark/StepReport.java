package dev.resiliency.spark;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the driver how far the function is, five times a second at most. Belongs to the first active rank of an iteration.
 *
 * <p>Threads: {@code resiliency-spark-steps}, while the function runs.
 */
final class StepReport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ResilientStage.class);
    private static final long PERIOD_MILLIS = 200;
    private static final long NONE = -1;

    private final StageSession session;
    private final int iteration;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "resiliency-spark-steps");
        thread.setDaemon(true);
        return thread;
    });
    /** Written by the thread of the function. */
    private volatile long latest = NONE;
    /** Confined to the timer. */
    private long told = NONE;

    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the timer
    StepReport(StageSession session, int iteration) {
        this.session = session;
        this.iteration = iteration;
        timer.scheduleWithFixedDelay(this::tell, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The function begins a step. */
    void passed(long step) {
        latest = step;
    }

    private void tell() {
        long step = latest;
        if (step == told) {
            return;
        }
        try {
            session.step(iteration, step);
            told = step;
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) { // of a store that is out of reach, which the wrapper notices
            LOG.debug("could not report step {} to the driver", step, e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
