package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.RestartReport.StoppedBy;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.WorkerStuckException;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.settings.Timings;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the worker of an iteration, in three stages: what blocks it is aborted; it is interrupted until it has ended, and
 * meets a {@link RestartSignal} in each method of its call; after a delay the signal is thrown into it from outside. The
 * last stage comes late because it is not safe: a lock can stay held, a waiter unwoken. The guide's termination
 * mechanism. Confined to the monitor thread.
 */
public final class Termination {
    /** How often a worker that swallows the interrupt is interrupted again. */
    public static final Duration REPEAT = Duration.ofMillis(50);

    private static final Logger LOG = LoggerFactory.getLogger(Termination.class);

    private final IterationCall call;
    private final Worker<?> worker;
    private final Supplier<AbortChain> startAborts;
    private final LogPrefix prefix;
    private final long limit;
    private final @Nullable ThreadControl control;
    private final long asyncStopDelay;
    private final long start;
    private final boolean hadEnded;
    private @Nullable AbortChain aborts;
    private long abortStart;
    private long stopStart;
    private int interrupts;
    private boolean stoppedFromOutside;

    /**
     * From here on no atomic section begins, and every method of the call throws.
     *
     * @param control throws into the worker from outside; null if that is not possible
     */
    public Termination(
            IterationCall call,
            Worker<?> worker,
            Supplier<AbortChain> startAborts,
            LogPrefix prefix,
            Timings timings,
            @Nullable ThreadControl control,
            long now) {
        this.call = call;
        this.worker = worker;
        this.startAborts = startAborts;
        this.prefix = prefix;
        this.limit = timings.hardTimeout().toNanos();
        this.control = control;
        this.asyncStopDelay = timings.asyncStopDelay().toNanos();
        this.start = now;
        this.hadEnded = worker.ending() != null;
        call.shut();
    }

    /**
     * First stage: starts the abort actions when no atomic section runs, and waits for them.
     *
     * @return whether they have ended, or have had their time
     * @throws WorkerStuckException if an atomic section does not end within the limit
     */
    public boolean isAborted(long now) {
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
     * Second and third stage: interrupts the worker if it still runs, and throws into it when that has not helped. To be
     * called every {@link #REPEAT}.
     *
     * @return whether it has ended
     * @throws WorkerStuckException if it has not within the limit
     */
    public boolean isStopped(long now) {
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
        if (!stoppedFromOutside && lasted >= asyncStopDelay) {
            stoppedFromOutside = true;
            stopFromOutside(lasted);
        }
        worker.interrupt();
        interrupts++;
        return false;
    }

    private void stopFromOutside(long lasted) {
        LOG.warn(
                "{} the function has not ended {} ms after it was interrupted: it must let RestartSignal and"
                        + " InterruptedException through, and register with onAbort what unblocks it; {}; {}",
                prefix,
                Duration.ofNanos(lasted).toMillis(),
                control == null
                        ? "without JNA on the class path it cannot be stopped from outside"
                        : "RestartSignal is thrown into it from outside",
                place());
        if (control != null) {
            AsyncStop.start(worker, control, call.state().iteration(), prefix);
        }
    }

    /** What has ended the worker, once {@link #isStopped}: our own doing counts, not the type of what it threw. */
    public StoppedBy stoppedBy() {
        if (hadEnded) {
            return StoppedBy.ITSELF;
        }
        if (stoppedFromOutside && control != null) {
            return StoppedBy.ASYNC_STOP;
        }
        if (call.hasSignalled()) {
            return StoppedBy.SIGNAL;
        }
        if (interrupts > 0) {
            return StoppedBy.INTERRUPT;
        }
        return aborts != null && aborts.hadActions() ? StoppedBy.ABORT : StoppedBy.ITSELF;
    }

    private String place() {
        return "thread " + worker.thread().getName() + " stands at "
                + List.of(worker.thread().getStackTrace());
    }
}
