package dev.resiliency.nccl.internal.device;

import dev.resiliency.nccl.CudaModule;
import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.DeviceBuffer;
import dev.resiliency.nccl.internal.natives.Bindings;
import dev.resiliency.nccl.internal.natives.Cuda;

/** A module of the CUDA driver. Confined to one thread at a time. */
public final class PtxModule implements CudaModule {
    private final Cuda cuda;
    private final int device;
    private final long address;
    private boolean closed;

    private PtxModule(Cuda cuda, int device, long address) {
        this.cuda = cuda;
        this.device = device;
        this.address = address;
    }

    public static CudaModule load(int device, String ptx) {
        Cuda cuda = Bindings.cuda();
        cuda.setDevice(device);
        cuda.synchronizeDevice(); // gives this process a context on the device
        return new PtxModule(cuda, device, cuda.loadModule(ptx));
    }

    @Override
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

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            cuda.setDevice(device);
            cuda.unloadModule(address);
        }
    }
}
