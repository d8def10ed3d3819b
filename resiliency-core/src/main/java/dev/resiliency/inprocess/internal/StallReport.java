package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.watch.OutOfMemoryErrors;
import dev.resiliency.inprocess.internal.watch.Supervision;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Reports that the function makes no progress, and finds out whether memory has run out, long before the soft timeout is over: the
 * ranks that wait for this one may be the first to find the hang. Safe for use by the watchdog and the monitor thread.
 *
 * <p>Thread: {@code resiliency-memory}, which asks for the memory, and ends.
 */
final class StallReport {
    private static final Logger LOG = SafeLog.of(StallReport.class);

    private final Supervision supervision;
    private final LogPrefix prefix;
    /** Confined to the thread that looks, of which there is one at a time. */
    private final OutOfMemoryErrors errors = OutOfMemoryErrors.ofThisProcess();
    /** The last thread that has looked; null before the first. Guarded by this object. */
    private @Nullable Thread looking;

    StallReport(Supervision supervision, LogPrefix prefix) {
        this.supervision = supervision;
        this.prefix = prefix;
        supervision.onLook(this::beginLook);
    }

    void report(Thread stalled) {
        supervision.reportStall(stalled);
        beginLook(stalled);
    }

    private synchronized void beginLook(Thread stalled) {
        if (looking != null && looking.isAlive()) {
            return;
        }
        try {
            Thread thread = new Thread(() -> look(stalled), "resiliency-memory");
            thread.setDaemon(true);
            supervision.reportLook(true);
            thread.start();
            looking = thread;
        } catch (OutOfMemoryError noThread) {
            supervision.reportLook(false);
            LOG.debug("{} cannot find out whether memory has run out", prefix, noThread);
        }
    }

    private void look(Thread stalled) {
        try {
            long more = errors.more();
            if (more > 0) {
                supervision.reportOutOfMemory(
                        stalled, "threw " + more + (more == 1 ? " OutOfMemoryError" : " OutOfMemoryErrors"));
            }
        } finally {
            supervision.reportLook(false);
        }
    }
}
