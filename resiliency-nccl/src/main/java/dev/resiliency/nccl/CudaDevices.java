package dev.resiliency.nccl;

import dev.resiliency.nccl.internal.Bindings;
import dev.resiliency.nccl.internal.Cuda;
import dev.resiliency.nccl.internal.Nccl;

/** What this process can see of GPUs and their libraries. */
public final class CudaDevices {
    private CudaDevices() {}

    /**
     * How many devices there are; they are numbered from 0.
     *
     * @throws GpuUnavailableException if the driver or a library is missing
     */
    public static int count() {
        return Bindings.cuda().deviceCount();
    }

    /**
     * How many bytes of a device's memory are in use, by whomever.
     *
     * @throws GpuUnavailableException if there is no such device, or a library is missing
     */
    public static long usedMemory(int device) {
        Cuda cuda = Bindings.cuda();
        cuda.setDevice(device);
        return cuda.memory().used();
    }

    /**
     * The versions of the libraries that are used.
     *
     * @param runtime of {@code libcudart}, such as {@code 13.1}
     * @param driver the newest CUDA that the driver knows, such as {@code 13.0}
     * @param nccl of {@code libnccl}, such as {@code 2.29.7}
     */
    public record Versions(String runtime, String driver, String nccl) {}

    /**
     * Asks the libraries for their versions.
     *
     * @throws GpuUnavailableException if one is missing
     */
    public static Versions versions() {
        Nccl nccl = Bindings.nccl();
        return new Versions(
                Cuda.versionText(nccl.cuda().runtimeVersion()),
                Cuda.versionText(nccl.cuda().driverVersion()),
                Nccl.versionText(nccl.version()));
    }
}
