package dev.resiliency.nccl.internal.communicator;

import dev.resiliency.inprocess.Abort;
import dev.resiliency.nccl.AbortNccl;
import dev.resiliency.nccl.GpuException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Aborts families of communicators, all at the same time, and waits for them. */
public final class Aborts {
    private Aborts() {}

    /** See {@link AbortNccl#withLimit}. */
    public static Abort withLimit(Duration limit) {
        return state -> abort(Communicators.of(state.initialRank()), limit);
    }

    /** Aborts one family; other threads abort others at the same time. */
    static void abort(CommunicatorFamily family) throws InterruptedException {
        abort(List.of(family), AbortNccl.DEFAULT_LIMIT);
    }

    /**
     * Aborts all, and waits for them within the limit.
     *
     * @throws GpuException that names each family whose abort is stuck or failed, and the reason, unless that was reported
     *     before
     */
    static void abort(List<CommunicatorFamily> families, Duration limit) throws InterruptedException {
        families.forEach(CommunicatorFamily::startAbort);
        long start = System.nanoTime();
        long end = start + limit.toNanos();
        List<GpuException> failures = new ArrayList<>();
        for (CommunicatorFamily family : families) {
            try {
                family.abort(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            } catch (GpuException e) {
                if (family.claimReport()) {
                    failures.add(e);
                }
            } finally {
                Communicators.remove(family);
            }
        }
        if (!failures.isEmpty()) {
            throw failure(families, failures, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    private static GpuException failure(
            List<CommunicatorFamily> families, List<GpuException> failures, Duration waited) {
        GpuException all = new GpuException(
                "%d of %d NCCL communicators could not be aborted within %d ms; the hard timeout ends what waits for them: %s"
                        .formatted(
                                failures.size(),
                                families.size(),
                                waited.toMillis(),
                                failures.stream().map(Throwable::getMessage).toList()));
        failures.forEach(all::addSuppressed);
        return all;
    }
}
