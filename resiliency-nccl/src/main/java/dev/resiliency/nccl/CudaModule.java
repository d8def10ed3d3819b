package dev.resiliency.nccl;

import dev.resiliency.nccl.internal.Bindings;
import dev.resiliency.nccl.internal.Cuda;

/** Kernels of one's own, loaded from the text of PTX into a device. To be used by one thread at a time. */
public final class CudaModule implements AutoCloseable {
    private final Cuda cuda;
    private final int device;
    private final long address;
    private boolean closed;

    private CudaModule(Cuda cuda, int device, long address) {
        this.cuda = cuda;
        this.device = device;
        this.address = address;
    }

    /**
     * Loads kernels; the driver compiles them for the device.
     *
     * @throws GpuUnavailableException if there is no such device, or a library is missing
     * @throws GpuCallException if the driver does not understand the text
     */
    public static CudaModule load(int device, String ptx) {
        Cuda cuda = Bindings.cuda();
        cuda.setDevice(device);
        cuda.synchronizeDevice(); // makes sure that the device has a context for this process
        return new CudaModule(cuda, device, cuda.loadModule(ptx));
    }

    /**
     * Starts a kernel for {@code count} elements, a thread for each, behind the work of the stream.
     *
     * @param arguments of the kernel in its order: {@link DeviceBuffer}, {@link Integer} or {@link Float}
     * @throws GpuCallException if there is no such kernel, or the device is spoilt
     */
    public void launch(String kernel, int count, CudaStream stream, Object... arguments) {
        Object[] values = arguments.clone();
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof DeviceBuffer buffer) {
                values[i] = buffer.address();
            }
        }
        cuda.setDevice(device);
        cuda.launch(cuda.kernel(address, kernel), count, stream.address(), values);
    }

    /** Gives the kernels back; they must have ended. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            cuda.setDevice(device);
            cuda.unloadModule(address);
        }
    }
}
