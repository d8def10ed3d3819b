package dev.resiliency.nccl;

import dev.resiliency.nccl.internal.device.Devices;

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
        return Devices.count();
    }

    /**
     * Returns how many bytes of a device's memory are in use, by any process.
     *
     * @throws GpuUnavailableException if the device or a library is missing
     */
    public static long usedMemory(int device) {
        return Devices.usedMemory(device);
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
        return Devices.versions();
    }
}
