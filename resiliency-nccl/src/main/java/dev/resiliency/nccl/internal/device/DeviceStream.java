package dev.resiliency.nccl.internal.device;

import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.internal.natives.Bindings;
import dev.resiliency.nccl.internal.natives.Cuda;

/** A stream of the CUDA runtime. Confined to one thread at a time. */
public final class DeviceStream implements CudaStream {
    private final Cuda cuda;
    private final int device;
    private final long address;
    private boolean closed;

    private DeviceStream(Cuda cuda, int device, long address) {
        this.cuda = cuda;
        this.device = device;
        this.address = address;
    }

    public static CudaStream create(int device) {
        Cuda cuda = Bindings.cuda();
        cuda.setDevice(device);
        return new DeviceStream(cuda, device, cuda.createStream());
    }

    @Override
    public int device() {
        return device;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public void synchronize() {
        cuda.setDevice(device);
        cuda.synchronizeStream(address);
    }

    @Override
    public boolean isIdle() {
        cuda.setDevice(device);
        return cuda.isStreamIdle(address);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            cuda.setDevice(device);
            cuda.destroyStream(address);
        }
    }
}
