package dev.resiliency.nccl;

import dev.resiliency.nccl.internal.Bindings;
import dev.resiliency.nccl.internal.Cuda;
import dev.resiliency.nccl.internal.NativeCall;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An array in the memory of a device. Its operations go to a stream and take effect in the stream's order; those that
 * copy from or to Java arrays wait for it. To be closed; what communicators or kernels still do with it must be done by
 * then, or aborted.
 */
public final class DeviceBuffer implements AutoCloseable {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(DeviceBuffer.class);

    private final Cuda cuda;
    private final int device;
    private final DataType type;
    private final long count;
    private final long address;
    /** The buffer that this is a part of; null if it owns its memory. */
    private final @Nullable DeviceBuffer whole;

    private boolean closed;

    private DeviceBuffer(Cuda cuda, int device, DataType type, long count, long address, @Nullable DeviceBuffer whole) {
        this.cuda = cuda;
        this.device = device;
        this.type = type;
        this.count = count;
        this.address = address;
        this.whole = whole;
    }

    /**
     * Allocates memory; what it holds is not defined.
     *
     * @param count how many elements, at least 1
     * @throws GpuUnavailableException if there is no such device, or a library is missing
     * @throws GpuCallException if there is no memory left
     */
    public static DeviceBuffer allocate(int device, DataType type, long count) {
        if (count < 1) {
            throw new IllegalArgumentException("a buffer of " + count + " elements: it must have at least 1");
        }
        Cuda cuda = Bindings.cuda();
        cuda.setDevice(device);
        long address = cuda.allocate(Math.multiplyExact(count, type.bytes()));
        return new DeviceBuffer(cuda, device, type, count, address, null);
    }

    /** A part of this buffer, on the same memory: {@code count} elements from {@code start} on. Need not be closed. */
    public DeviceBuffer slice(long start, long count) {
        if (start < 0 || count < 1 || start + count > this.count) {
            throw new IllegalArgumentException("elements " + start + " to " + (start + count) + " of " + this);
        }
        return new DeviceBuffer(cuda, device, type, count, address() + start * type.bytes(), this);
    }

    /** The device whose memory it is. */
    public int device() {
        return device;
    }

    /** The type of its elements. */
    public DataType type() {
        return type;
    }

    /** How many elements it has. */
    public long count() {
        return count;
    }

    /** How many bytes it has. */
    public long bytes() {
        return count * type.bytes();
    }

    /**
     * The device pointer, for other libraries.
     *
     * @throws IllegalStateException if it is closed
     */
    public long address() {
        if (isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
        return address;
    }

    private boolean isClosed() {
        return whole == null ? closed : whole.isClosed();
    }

    /** Fills it with floats, behind the work of the stream; waits for the stream. */
    public void write(float[] source, CudaStream stream) {
        checkFloats(source);
        cuda.setDevice(device);
        cuda.copyIn(address(), source, stream.address());
    }

    /** Reads all its floats, behind the work of the stream; waits for the stream. */
    public void read(float[] target, CudaStream stream) {
        checkFloats(target);
        cuda.setDevice(device);
        cuda.copyOut(target, address(), stream.address());
    }

    /** Copies another buffer of the same size on the same device, behind the work of the stream. */
    public void copyFrom(DeviceBuffer source, CudaStream stream) {
        if (source.bytes() != bytes()) {
            throw new IllegalArgumentException(source + " does not fit into " + this);
        }
        cuda.setDevice(device);
        cuda.copy(address(), source.address(), bytes(), stream.address());
    }

    /** Sets all its bytes to 0, behind the work of the stream. */
    public void clear(CudaStream stream) {
        cuda.setDevice(device);
        cuda.fill(address(), 0, bytes(), stream.address());
    }

    private void checkFloats(float[] array) {
        if (type != DataType.FLOAT32 || array.length != count) {
            throw new IllegalArgumentException("an array of " + array.length + " floats does not match " + this);
        }
    }

    /**
     * Frees the memory; does nothing for a part. CUDA waits for the device first, this for a second at most: while a
     * collective hangs, it is the exception on its way out that brings the abort which ends it, and the memory is free
     * then.
     *
     * @throws GpuCallException if the device is spoilt
     */
    @Override
    public void close() {
        if (closed || whole != null) {
            return;
        }
        closed = true;
        NativeCall<Boolean> free = NativeCall.start("release of " + this, () -> {
            cuda.setDevice(device);
            cuda.free(address);
        });
        try {
            free.awaitEnd(CLOSE_LIMIT);
        } catch (GpuTimeoutException e) {
            LOG.debug("{} will be freed when the device has come to the end of its work", this);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Its size, type and device. */
    @Override
    public String toString() {
        return "buffer of " + count + " " + type + " on device " + device;
    }
}
