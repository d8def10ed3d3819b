package dev.resiliency.nccl;

import dev.resiliency.inprocess.Finalize;
import java.time.Duration;

/**
 * The GPUs that this process sees, and the libraries that drive them.
 *
 * @since 0.1.0
 */
public final class CudaDevices {
    private CudaDevices() {}

    /**
     * Returns the number of devices; they are numbered from 0.
     *
     * @throws GpuUnavailableException if the driver or a library is missing
     */
    public static int count() {
        return Implementation.DEVICES.count();
    }

    /**
     * Returns how many bytes of a device's memory are in use, by any process.
     *
     * @throws GpuUnavailableException if the device or a library is missing
     */
    public static long usedMemory(int device) {
        return Implementation.DEVICES.usedMemory(device);
    }

    /**
     * The versions of the libraries in use.
     *
     * @param runtime of {@code libcudart}, such as {@code 13.1}
     * @param driver the newest CUDA that the driver supports, such as {@code 13.0}
     * @param nccl of {@code libnccl}, such as {@code 2.29.7}
     * @since 0.1.0
     */
    public record Versions(String runtime, String driver, String nccl) {}

    /**
     * Returns the versions of the libraries.
     *
     * @throws GpuUnavailableException if one is missing
     */
    public static Versions versions() {
        return Implementation.DEVICES.versions();
    }

    /**
     * Gives this package its implementation; not for users.
     *
     * @since 0.1.0
     */
    public interface Provider {
        /** Implements {@link CudaDevices#count}. */
        int count();

        /** Implements {@link CudaDevices#usedMemory}. */
        long usedMemory(int device);

        /** Implements {@link CudaDevices#versions}. */
        Versions versions();

        /** Implements {@link CudaStream#create}. */
        CudaStream createStream(int device);

        /** Implements {@link CudaModule#load}. */
        CudaModule loadModule(int device, String ptx);

        /** Implements {@link DeviceBuffer#allocate}. */
        DeviceBuffer allocate(int device, DataType type, long count);

        /** Implements {@link GpuMemoryReclaim#of}. */
        Finalize reclaimMemory(int device, long tolerance, Duration limit, Duration interval)
                throws InterruptedException;
    }
}
