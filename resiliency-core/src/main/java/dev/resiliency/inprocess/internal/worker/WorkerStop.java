package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.RestartReport.StoppedBy;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.WorkerStuckException;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.settings.Timings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Ends the worker of an iteration after its {@link WorkerAbort}, in two steps: interrupts it until it has ended, while
 * each method of its call throws a {@link RestartSignal}; after a delay, throws the signal into it from outside. That
 * comes last because it is unsafe: a lock can stay held, a waiter unnotified. Confined to the monitor thread.
 */
public final class WorkerStop {
    /** The time until a worker that swallows the first interrupt is interrupted again; it doubles each time. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    /** Code that repeats an interrupted wait and checks for a restart after it needs this time to get there. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private static final Logger LOG = SafeLog.of(WorkerStop.class);

    private final WorkerAbort abort;
    private final Worker<?> worker;
    private final LogPrefix prefix;
    private final Duration limit;
    private final @Nullable ThreadControl control;
    private final Duration asyncStopDelay;
    private final Stopwatch since;
    private int interrupts;
    /** The time of the next interrupt, since the beginning of the stop. */
    private Duration nextInterrupt = Duration.ZERO;

    private Duration pause = FIRST_PAUSE;
    private boolean stoppedFromOutside;

    /**
     * Creates the stop of the worker that {@code abort} has tried to unblock.
     *
     * @param control throws into the worker from outside; null if that is not possible
     * @param since measures the time since the stop began
     */
    public WorkerStop(WorkerAbort abort, Timings timings, @Nullable ThreadControl control, Stopwatch since) {
        this.abort = abort;
        this.worker = abort.worker();
        this.prefix = abort.prefix();
        this.limit = timings.hardTimeout();
        this.control = control;
        this.asyncStopDelay = timings.asyncStopDelay();
        this.since = since;
    }

    /**
     * Interrupts the worker if it still runs, less and less often, and throws into it if that does not help. Must be
     * called again after {@link #untilNextStep}.
     *
     * @throws WorkerStuckException if the worker has not ended within the hard timeout
     */
    public void proceed() {
        if (isDone()) {
            return;
        }
        if (since.hasReached(limit)) {
            throw new WorkerStuckException("%s the function could not be stopped within %d ms; %s"
                    .formatted(prefix, limit.toMillis(), worker.place()));
        }
        if (!stoppedFromOutside && since.hasReached(asyncStopDelay)) {
            stoppedFromOutside = true;
            stopFromOutside();
        }
        if (since.hasReached(nextInterrupt)) {
            interrupt();
        }
    }

    private void interrupt() {
        if (interrupts == 1) {
            LOG.debug("{} the interrupt was swallowed; {}", prefix, worker.place());
        }
        worker.interrupt();
        interrupts++;
        nextInterrupt = since.elapsed().plus(pause);
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }

    /** Returns the nanoseconds until the next step, if the worker has not ended by then. */
    public long untilNextStep() {
        long next = Math.min(since.nanosUntil(nextInterrupt), since.nanosUntil(limit));
        return stoppedFromOutside ? next : Math.min(next, since.nanosUntil(asyncStopDelay));
    }

    /** Returns whether the worker has ended. */
    public boolean isDone() {
        return worker.ending() != null;
    }

    private void stopFromOutside() {
        LOG.warn(
                "{} the function still runs {} ms after it was interrupted: {}; {}. It must not swallow RestartSignal or"
                        + " InterruptedException, and must register with onAbort what unblocks it",
                prefix,
                since.elapsed().toMillis(),
                worker.place(),
                control == null
                        ? "without JNA on the class path it cannot be stopped from outside"
                        : "now RestartSignal is thrown into it from outside");
        if (control != null) {
            AsyncStop.start(worker, control, abort.call().state().iteration(), prefix);
        }
    }

    /**
     * Returns what ended the worker, once {@link #isDone}: it depends on what was done to the worker, not on the type
     * of what it threw.
     */
    public StoppedBy stoppedBy() {
        if (abort.cameTooLate()) {
            return abort.call().safePoints().hasStopped() ? StoppedBy.SAFE_POINT : StoppedBy.ITSELF;
        }
        if (stoppedFromOutside && control != null) {
            return StoppedBy.ASYNC_STOP;
        }
        if (abort.call().hasSignalled()) {
            return StoppedBy.SIGNAL;
        }
        if (interrupts > 0) {
            return StoppedBy.INTERRUPT;
        }
        return abort.hadActions() ? StoppedBy.ABORT : StoppedBy.ITSELF;
    }
}
