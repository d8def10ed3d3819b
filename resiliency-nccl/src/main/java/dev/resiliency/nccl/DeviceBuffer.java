package dev.resiliency.nccl;

import dev.resiliency.nccl.internal.device.DeviceMemory;
import dev.resiliency.state.StateMemory;
import java.nio.ByteBuffer;

/**
 * An array in the memory of a device. Its operations are enqueued on a stream; those that copy from or to Java arrays wait
 * for it. As part of a {@link dev.resiliency.state.LiveState} it keeps its contents over restarts, and receives those of
 * other ranks, through pinned memory of the host:
 *
 * <pre>{@code
 * DeviceBuffer weights = state.external("weights", () -> DeviceBuffer.allocate(0, DataType.FLOAT32, n));
 * }</pre>
 *
 * <p>Must be closed, or kept by a live state until the process ends: by then, communicators and kernels that use it must have finished or been aborted.
 *
 * @since 0.1.0
 */
public interface DeviceBuffer extends StateMemory, AutoCloseable {

    /**
     * Allocates memory; its contents are undefined.
     *
     * @param count number of elements, at least 1
     * @throws GpuUnavailableException if the device or a library is missing
     * @throws GpuCallException if there is not enough memory
     */
    static DeviceBuffer allocate(int device, DataType type, long count) {
        return DeviceMemory.allocate(device, type, count);
    }

    /**
     * Returns {@code count} elements from {@code start} on, in the same memory. It need not be closed.
     *
     * @throws IllegalArgumentException if the buffer does not have these elements
     */
    DeviceBuffer slice(long start, long count);

    /** Returns the device whose memory it is. */
    int device();

    /** Returns the type of its elements. */
    DataType type();

    /** Returns the number of its elements. */
    long count();

    /** Returns its size in bytes. */
    @Override
    long bytes();

    /**
     * Returns the device pointer, for other libraries.
     *
     * @throws IllegalStateException if it is closed
     */
    long address();

    /**
     * Fills the buffer from an array; waits for the stream.
     *
     * @throws IllegalArgumentException if it does not hold as many floats as the array
     */
    void write(float[] source, CudaStream stream);

    /**
     * Copies the buffer into an array; waits for the stream.
     *
     * @throws IllegalArgumentException if it does not hold as many floats as the array
     */
    void read(float[] target, CudaStream stream);

    /**
     * Copies bytes of the buffer into the target, which they fill, on a stream of its own: what other streams write must have
     * ended. So the update of a commit must wait for its stream.
     *
     * @throws IllegalArgumentException if the buffer does not have these bytes
     */
    @Override
    void read(long offset, ByteBuffer target);

    /**
     * Copies the bytes of the source into the buffer, as {@link #read(long, ByteBuffer)} does.
     *
     * @throws IllegalArgumentException if the buffer does not have these bytes
     */
    @Override
    void write(long offset, ByteBuffer source);

    /**
     * Enqueues a copy of a buffer on the same device.
     *
     * @throws IllegalArgumentException if its size in bytes differs
     */
    void copyFrom(DeviceBuffer source, CudaStream stream);

    /** Enqueues setting all bytes to 0. */
    void clear(CudaStream stream);

    /**
     * Frees the memory; has no effect on a slice. CUDA first waits for the device, and this method waits at most a second
     * for CUDA: if a collective hangs, the memory is freed after the abort that ends it.
     *
     * @throws GpuCallException if the context of the device is corrupted
     */
    @Override
    void close();
}
