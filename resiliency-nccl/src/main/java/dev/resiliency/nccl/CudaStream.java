package dev.resiliency.nccl;

import dev.resiliency.nccl.internal.device.DeviceStream;

/**
 * A queue of work for a device, which does it in order. For one thread at a time.
 *
 * @since 0.1.0
 */
public interface CudaStream extends AutoCloseable {

    /**
     * Returns a new stream, which does not wait for the default stream.
     *
     * @throws GpuUnavailableException if the device or a library is missing
     */
    static CudaStream create(int device) {
        return DeviceStream.create(device);
    }

    /** Returns the device that does its work. */
    int device();

    /** Returns the {@code cudaStream_t}, for other libraries. */
    long address();

    /**
     * Waits in native code until all work is done. No interrupt ends the wait, but an abort of the communicator that the
     * work waits for does; {@link NcclCommunicator#synchronize} throws in that case.
     *
     * @throws GpuCallException if the work has failed, now or earlier
     */
    void synchronize();

    /** Returns whether all work is done. */
    boolean isIdle();

    /** Destroys the stream, without waiting for its work. */
    @Override
    void close();
}
