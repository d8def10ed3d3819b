package dev.resiliency.nccl.internal.device;

import dev.resiliency.inprocess.Finalize;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.GpuMemoryReclaim;
import dev.resiliency.nccl.internal.natives.Bindings;
import dev.resiliency.nccl.internal.natives.Cuda;
import dev.resiliency.nccl.internal.natives.NativeCall;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hook of {@link GpuMemoryReclaim}. */
public final class MemoryReclaim implements Finalize {
    private static final Logger LOG = LoggerFactory.getLogger(GpuMemoryReclaim.class);

    private final int device;
    private final long tolerance;
    private final Duration limit;
    private final Duration interval;
    private final Duration standstill;
    private final long baseline;

    private MemoryReclaim(
            int device, long tolerance, Duration limit, Duration interval, Duration standstill, long baseline) {
        this.device = device;
        this.tolerance = tolerance;
        this.limit = limit;
        this.interval = interval;
        this.standstill = standstill;
        this.baseline = baseline;
    }

    public static MemoryReclaim of(int device, long tolerance, Duration limit, Duration interval)
            throws InterruptedException {
        return of(device, tolerance, limit, interval, GpuMemoryReclaim.STANDSTILL);
    }

    static MemoryReclaim of(int device, long tolerance, Duration limit, Duration interval, Duration standstill)
            throws InterruptedException {
        if (tolerance < 0 || interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("the tolerance is " + tolerance + " and the interval is " + interval
                    + ": the tolerance must not be negative, the interval must be positive");
        }
        return new MemoryReclaim(
                device, tolerance, limit, interval, standstill, used(device, GpuMemoryReclaim.DEFAULT_LIMIT));
    }

    /** Waits for the memory. A device that does not answer is left to the health check, and only logged here. */
    @Override
    public void finish(State state) throws InterruptedException {
        try {
            awaitMemory(state.iteration());
        } catch (GpuException e) {
            LOG.warn(
                    "cannot read the memory of device {}, so the hook does not wait for it: {}",
                    device,
                    e.getMessage());
        }
    }

    private void awaitMemory(int iteration) throws InterruptedException {
        long start = System.nanoTime();
        long first = used(device, limit);
        long used = first;
        long least = first;
        long lastFall = start;
        while (used > baseline + tolerance
                && System.nanoTime() - start < limit.toNanos()
                && System.nanoTime() - lastFall < standstill.toNanos()) {
            TimeUnit.NANOSECONDS.sleep(interval.toNanos());
            used = used(device, limit);
            if (used < least) {
                least = used;
                lastFall = System.nanoTime();
            }
        }
        report(
                iteration,
                first,
                used,
                Duration.ofNanos(System.nanoTime() - start).toMillis());
    }

    private void report(int iteration, long first, long used, long millis) {
        if (used > baseline + tolerance) {
            LOG.warn(
                    "device {} still has {} MiB in use after {} ms, {} MiB more than at the start; the tolerance is {} MiB."
                            + " Does the function close its buffers, or do other processes use the device?",
                    device,
                    mebibytes(used),
                    millis,
                    mebibytes(used - baseline),
                    mebibytes(tolerance));
        } else {
            LOG.info(
                    "device {} has {} MiB in use, {} MiB at the end of iteration {}, {} MiB at the start; waited {} ms",
                    device,
                    mebibytes(used),
                    mebibytes(first),
                    iteration,
                    mebibytes(baseline),
                    millis);
        }
    }

    private static long used(int device, Duration limit) throws InterruptedException {
        return NativeCall.start("reading the memory of device " + device, () -> usedNow(device), unused -> {})
                .await(limit);
    }

    private static long usedNow(int device) {
        Cuda cuda = Bindings.cuda();
        cuda.setDevice(device);
        return cuda.memory().used();
    }

    private static long mebibytes(long bytes) {
        return bytes >> 20;
    }
}
