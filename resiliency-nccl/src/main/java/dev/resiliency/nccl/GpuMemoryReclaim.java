package dev.resiliency.nccl;

import dev.resiliency.inprocess.Finalize;
import dev.resiliency.nccl.internal.device.MemoryReclaim;
import java.time.Duration;

/**
 * Creates a hook that waits, between two iterations, until the device memory of the last one is free again, so that the next
 * one does not run out of memory. The hook compares with the memory in use when it was created: create it before the job
 * allocates any.
 *
 * <p>At its limit, or if no more memory is freed, it logs how much is missing, and the restart continues. The figures are of
 * the whole device, so the hook also waits for memory that other processes hold, until its limit.
 *
 * @since 0.1.0
 */
public final class GpuMemoryReclaim {
    /** How long the hook waits: 10 s. */
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(10);
    /** How often it reads the memory in use: every 20 ms. */
    public static final Duration DEFAULT_INTERVAL = Duration.ofMillis(20);
    /** How long it waits after the last time some memory was freed: 500 ms. */
    public static final Duration STANDSTILL = Duration.ofMillis(500);
    /** How many bytes more than at the start may stay in use: 256 MiB. */
    public static final long DEFAULT_TOLERANCE = 256L << 20;

    private GpuMemoryReclaim() {}

    /**
     * Returns a hook with the defaults, and reads the memory in use.
     *
     * @throws GpuUnavailableException if the device or a library is missing
     */
    public static Finalize ofDevice(int device) throws InterruptedException {
        return of(device, DEFAULT_TOLERANCE, DEFAULT_LIMIT, DEFAULT_INTERVAL);
    }

    /**
     * Returns a hook, and reads the memory in use. This reading may have to load the libraries, so it has {@link
     * #DEFAULT_LIMIT} instead of {@code limit}.
     *
     * @param tolerance how many bytes more than now may stay in use
     * @param limit how long the hook waits
     * @param interval how often it reads the memory in use
     * @throws IllegalArgumentException if the tolerance is negative or the interval is not positive
     * @throws GpuUnavailableException if the device or a library is missing
     */
    public static Finalize of(int device, long tolerance, Duration limit, Duration interval)
            throws InterruptedException {
        return MemoryReclaim.of(device, tolerance, limit, interval);
    }
}
