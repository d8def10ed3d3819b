package dev.resiliency.nccl;

import dev.resiliency.nccl.internal.device.PtxModule;

/**
 * A user's own kernels, loaded into a device from PTX. For one thread at a time.
 *
 * @since 0.1.0
 */
public interface CudaModule extends AutoCloseable {

    /**
     * Loads kernels; the driver compiles them for the device.
     *
     * @param ptx the text of the PTX
     * @throws GpuUnavailableException if the device or a library is missing
     * @throws GpuCallException if the driver cannot compile the text
     */
    static CudaModule load(int device, String ptx) {
        return PtxModule.load(device, ptx);
    }

    /**
     * Enqueues a kernel, with one thread for each of {@code count} elements.
     *
     * @param arguments the kernel's, in its order: each a {@link DeviceBuffer}, {@link Integer} or {@link Float}
     * @throws IllegalArgumentException if an argument is of another type
     * @throws GpuCallException if there is no such kernel, or the context of the device is corrupted
     */
    void launch(String kernel, int count, CudaStream stream, Object... arguments);

    /** Unloads the kernels, which must have ended. */
    @Override
    void close();
}
