package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.WorkerStuckException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the worker of an iteration, in two stages: what blocks it is aborted, then it is interrupted until it has ended.
 * The guide's termination mechanism. Confined to the monitor thread.
 */
final class Termination {
    /** How often a worker that swallows the interrupt is interrupted again. */
    static final Duration REPEAT = Duration.ofMillis(50);

    private static final Logger LOG = LoggerFactory.getLogger(Termination.class);

    private final IterationCall call;
    private final Worker<?> worker;
    private final Supplier<AbortChain> startAborts;
    private final LogPrefix prefix;
    private final long limit;
    private final long complainAfter;
    private final long start;
    private @Nullable AbortChain aborts;
    private long abortStart;
    private long stopStart;
    private int interrupts;
    private boolean complained;

    /** From here on no atomic section begins, and every method of the call throws. */
    Termination(
            IterationCall call,
            Worker<?> worker,
            Supplier<AbortChain> startAborts,
            LogPrefix prefix,
            Timings timings,
            long now) {
        this.call = call;
        this.worker = worker;
        this.startAborts = startAborts;
        this.prefix = prefix;
        this.limit = timings.hardTimeout().toNanos();
        this.complainAfter = timings.asyncStopDelay().toNanos();
        this.start = now;
        call.shut();
    }

    /**
     * First stage: starts the abort actions when no atomic section runs, and waits for them.
     *
     * @return whether they have ended, or have had their time
     * @throws WorkerStuckException if an atomic section does not end within the limit
     */
    boolean isAborted(long now) {
        if (aborts == null) {
            if (!call.isQuiet()) {
                if (now - start >= limit) {
                    throw new WorkerStuckException("%s an atomic section has not ended within %d ms; %s"
                            .formatted(prefix, Duration.ofNanos(limit).toMillis(), place()));
                }
                return false;
            }
            aborts = startAborts.get();
            abortStart = now;
        }
        if (!aborts.isDone() && now - abortStart >= AbortChain.LIMIT.toNanos()) {
            aborts.reportStuck();
            return true;
        }
        return aborts.isDone();
    }

    /**
     * Second stage: interrupts the worker if it still runs. To be called every {@link #REPEAT}.
     *
     * @return whether it has ended
     * @throws WorkerStuckException if it has not within the limit
     */
    boolean isStopped(long now) {
        if (worker.ending() != null) {
            return true;
        }
        if (interrupts == 0) {
            stopStart = now;
        } else if (interrupts == 1) {
            LOG.debug("{} the interrupt was swallowed; {}", prefix, place());
        }
        long lasted = now - stopStart;
        if (lasted >= limit) {
            throw new WorkerStuckException("%s the function could not be stopped within %d ms; %s"
                    .formatted(prefix, Duration.ofNanos(limit).toMillis(), place()));
        }
        if (!complained && lasted >= complainAfter) {
            complained = true;
            LOG.warn(
                    "{} the function has not ended {} ms after it was interrupted: it must let RestartSignal and"
                            + " InterruptedException through, and register with onAbort what unblocks it; {}",
                    prefix,
                    Duration.ofNanos(lasted).toMillis(),
                    place());
        }
        worker.interrupt();
        interrupts++;
        return false;
    }

    private String place() {
        return "thread " + worker.thread().getName() + " stands at "
                + List.of(worker.thread().getStackTrace());
    }
}
