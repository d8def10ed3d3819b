package dev.resiliency.nccl;

import dev.resiliency.nccl.internal.Bindings;
import dev.resiliency.nccl.internal.Cuda;

/** A queue of work for a device, which is done in order. To be used by one thread at a time. */
public final class CudaStream implements AutoCloseable {
    private final Cuda cuda;
    private final int device;
    private final long address;
    private boolean closed;

    private CudaStream(Cuda cuda, int device, long address) {
        this.cuda = cuda;
        this.device = device;
        this.address = address;
    }

    /**
     * A new stream, which does not wait for the default stream.
     *
     * @throws GpuUnavailableException if there is no such device, or a library is missing
     */
    public static CudaStream create(int device) {
        Cuda cuda = Bindings.cuda();
        cuda.setDevice(device);
        return new CudaStream(cuda, device, cuda.createStream());
    }

    /** The device that it works on. */
    public int device() {
        return device;
    }

    /** The {@code cudaStream_t}, for other libraries. */
    public long address() {
        return address;
    }

    /**
     * Waits in native code until all work is done: no interrupt ends it, but an abort of the communicator that the work
     * waits for does. {@link NcclCommunicator#synchronize} tells whether that is why it has ended.
     *
     * @throws GpuCallException if the work has failed, now or earlier
     */
    public void synchronize() {
        cuda.setDevice(device);
        cuda.synchronizeStream(address);
    }

    /** Whether all work is done. */
    public boolean isIdle() {
        cuda.setDevice(device);
        return cuda.isStreamIdle(address);
    }

    /** Gives the stream back; does not wait for its work. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            cuda.setDevice(device);
            cuda.destroyStream(address);
        }
    }
}
