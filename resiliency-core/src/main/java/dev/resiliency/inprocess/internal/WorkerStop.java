package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.WorkerStuckException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Interrupts a worker until it ends. Confined to the monitor thread. */
final class WorkerStop {
    /** How often a worker that swallows the interrupt is interrupted again. */
    static final Duration REPEAT = Duration.ofMillis(50);

    private static final Logger LOG = LoggerFactory.getLogger(WorkerStop.class);

    private final Worker<?> worker;
    private final LogPrefix prefix;
    private final Duration complainAfter;
    private final Duration limit;
    private final long start;
    private int interrupts;
    private boolean complained;

    WorkerStop(Worker<?> worker, LogPrefix prefix, Duration complainAfter, Duration limit, long now) {
        this.worker = worker;
        this.prefix = prefix;
        this.complainAfter = complainAfter;
        this.limit = limit;
        this.start = now;
    }

    /**
     * Interrupts the worker if it still runs; to be called every {@link #REPEAT}.
     *
     * @return whether it has ended
     * @throws WorkerStuckException if it has not after the limit
     */
    boolean step(long now) {
        if (worker.ending() != null) {
            return true;
        }
        Duration lasted = Duration.ofNanos(now - start);
        if (lasted.compareTo(limit) >= 0) {
            throw new WorkerStuckException("%s the thread %s could not be stopped within %d ms; it stands at %s"
                    .formatted(prefix, worker.thread().getName(), limit.toMillis(), place()));
        }
        if (interrupts == 1) {
            LOG.debug(
                    "{} the interrupt of {} was swallowed; it stands at {}",
                    prefix,
                    worker.thread().getName(),
                    place());
        }
        if (!complained && lasted.compareTo(complainAfter) >= 0) {
            complained = true;
            LOG.warn(
                    "{} the function has not ended {} ms after its restart began: it must let RestartSignal and"
                            + " InterruptedException through, and what blocks it must be registered with onAbort;"
                            + " thread {} stands at {}",
                    prefix,
                    lasted.toMillis(),
                    worker.thread().getName(),
                    place());
        }
        worker.interrupt();
        interrupts++;
        return false;
    }

    private List<StackTraceElement> place() {
        return List.of(worker.thread().getStackTrace());
    }
}
