package dev.resiliency.nccl;

import dev.resiliency.inprocess.Finalize;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.internal.Bindings;
import dev.resiliency.nccl.internal.Cuda;
import dev.resiliency.nccl.internal.NativeCall;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits between two iterations until the memory of the device that the last one had is free again, so that the next one
 * does not run out of it. It compares with how much was in use when the hook was made: make it before the job allocates
 * anything. If the limit is reached, or no more memory comes back, a warning says how much is missing, and the restart goes
 * on. The figures are of the whole device: what another process holds is waited for in vain.
 */
public final class GpuMemoryReclaim implements Finalize {
    /** How long it waits. */
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(10);
    /** How often it looks. */
    public static final Duration DEFAULT_INTERVAL = Duration.ofMillis(20);
    /** How long it waits for the next byte to come back. */
    public static final Duration STANDSTILL = Duration.ofMillis(500);
    /** How many bytes more than at the start may stay in use: 256 MiB. */
    public static final long DEFAULT_TOLERANCE = 256L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(GpuMemoryReclaim.class);

    private final int device;
    private final long tolerance;
    private final Duration limit;
    private final Duration interval;
    private final Duration standstill;
    private final long baseline;

    private GpuMemoryReclaim(
            int device, long tolerance, Duration limit, Duration interval, Duration standstill, long baseline) {
        this.device = device;
        this.tolerance = tolerance;
        this.limit = limit;
        this.interval = interval;
        this.standstill = standstill;
        this.baseline = baseline;
    }

    /** A hook with the defaults, which takes what is in use on this device now as its measure. */
    public static GpuMemoryReclaim ofDevice(int device) throws InterruptedException {
        return of(device, DEFAULT_TOLERANCE, DEFAULT_LIMIT, DEFAULT_INTERVAL);
    }

    /**
     * A hook that takes what is in use on this device now as its measure. That first reading may have to load the
     * libraries: its limit is {@link #DEFAULT_LIMIT} and not the one given here.
     *
     * @param tolerance bytes
     * @throws GpuUnavailableException if a library or the device is missing
     */
    public static GpuMemoryReclaim of(int device, long tolerance, Duration limit, Duration interval)
            throws InterruptedException {
        return of(device, tolerance, limit, interval, STANDSTILL);
    }

    static GpuMemoryReclaim of(int device, long tolerance, Duration limit, Duration interval, Duration standstill)
            throws InterruptedException {
        if (tolerance < 0 || interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("tolerance " + tolerance + " and interval " + interval
                    + ": neither may be negative, nor the latter 0");
        }
        return new GpuMemoryReclaim(device, tolerance, limit, interval, standstill, used(device, DEFAULT_LIMIT));
    }

    /** Waits for the memory. A device that no longer answers is the business of the health check: here it is logged. */
    @Override
    public void finish(State state) throws InterruptedException {
        try {
            awaitMemory(state.iteration());
        } catch (GpuException e) {
            LOG.warn("the memory of device {} cannot be read, so nothing is waited for: {}", device, e.getMessage());
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
                    "device {} still has {} MiB in use after {} ms, {} MiB more than at the start; {} MiB are"
                            + " tolerated. Does the function close its buffers, or are other processes on the device?",
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
