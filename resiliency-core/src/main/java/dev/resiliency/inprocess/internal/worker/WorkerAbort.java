package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.WorkerStuckException;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Unblocks the worker of an iteration: lets a running atomic section end, then runs the abort actions. The first of the
 * three steps by which nvidia-resiliency-ext terminates a function; {@link WorkerStop} has the others. Confined to the
 * monitor thread.
 */
public final class WorkerAbort {
    /** The interval of {@link #proceed} while an atomic section runs: a thread that ends inside one wakes no other. */
    public static final Duration INTERVAL = Duration.ofMillis(50);

    private static final Logger LOG = SafeLog.of(WorkerAbort.class);

    private final IterationCall call;
    private final Worker<?> worker;
    private final Supplier<AbortChain> startActions;
    private final LogPrefix prefix;
    private final Duration sectionLimit;
    private final Stopwatch since;
    private final boolean hadEnded;
    /** Null while an atomic section runs. */
    private @Nullable AbortChain actions;

    /**
     * Begins the abort: from now on no atomic section begins, and every method of the call throws.
     *
     * @param sectionLimit how long an atomic section may still run
     * @param since measures the time since the abort began
     */
    public WorkerAbort(
            IterationCall call,
            Worker<?> worker,
            Supplier<AbortChain> startActions,
            LogPrefix prefix,
            Duration sectionLimit,
            Stopwatch since) {
        this.call = call;
        this.worker = worker;
        this.startActions = startActions;
        this.prefix = prefix;
        this.sectionLimit = sectionLimit;
        this.since = since;
        this.hadEnded = worker.ending() != null;
        call.shut();
    }

    /**
     * Starts the abort actions once no atomic section runs.
     *
     * @throws WorkerStuckException if an atomic section does not end within its limit
     */
    public void proceed() {
        if (actions != null) {
            return;
        }
        Thread owner = call.sectionOwner();
        if (owner != null && hasEnded(owner)) {
            LOG.warn(
                    "{} thread {} has ended inside an atomic section that it did not close; the restart does not wait for it",
                    prefix,
                    owner.getName());
            call.closeSectionFor(owner);
            owner = null;
        }
        if (owner == null) {
            actions = startActions.get();
        } else if (since.hasReached(sectionLimit)) {
            throw new WorkerStuckException("%s an atomic section has not ended within %d ms; %s"
                    .formatted(prefix, sectionLimit.toMillis(), placeOf(owner)));
        }
    }

    /**
     * Returns whether the owner has ended. The worker's thread outlives the function, which may have left a section
     * open, by a moment.
     */
    private boolean hasEnded(Thread owner) {
        return !owner.isAlive() || (owner == worker.thread() && worker.ending() != null);
    }

    private String placeOf(Thread owner) {
        return owner == worker.thread()
                ? worker.place()
                : worker.place() + "; the section is that of thread " + owner.getName() + ", which is at "
                        + List.of(owner.getStackTrace());
    }

    /** Returns whether the abort actions have ended or timed out. */
    public boolean isDone() {
        return actions != null && actions.isOver();
    }

    /** Logs the abort actions that are stuck; call it once {@link #isDone}. */
    public void reportStuck() {
        if (actions != null && !actions.isDone()) {
            actions.reportStuck();
        }
    }

    Worker<?> worker() {
        return worker;
    }

    IterationCall call() {
        return call;
    }

    LogPrefix prefix() {
        return prefix;
    }

    /** Returns whether the worker had ended before the abort began. */
    boolean cameTooLate() {
        return hadEnded;
    }

    boolean hadActions() {
        return actions != null && actions.hadActions();
    }
}
