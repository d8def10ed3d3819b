package dev.resiliency.nccl.internal.device;

import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.DataType;
import dev.resiliency.nccl.DeviceBuffer;
import dev.resiliency.nccl.internal.natives.Bindings;
import dev.resiliency.nccl.internal.natives.Cuda;
import dev.resiliency.nccl.internal.natives.NativeCall;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A buffer that owns its memory, or a slice of one. */
public final class DeviceMemory implements DeviceBuffer {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(DeviceMemory.class);

    private final Cuda cuda;
    private final int device;
    private final DataType type;
    private final long count;
    private final long address;
    /** The buffer that this is a slice of; null if it owns its memory. */
    private final @Nullable DeviceMemory whole;

    private final BounceBuffer bounce;

    private boolean closed;

    private DeviceMemory(Cuda cuda, int device, DataType type, long count, long address, @Nullable DeviceMemory whole) {
        this.cuda = cuda;
        this.device = device;
        this.type = type;
        this.count = count;
        this.address = address;
        this.whole = whole;
        this.bounce = whole == null ? new BounceBuffer(cuda, device) : whole.bounce;
    }

    public static DeviceBuffer allocate(int device, DataType type, long count) {
        if (count < 1) {
            throw new IllegalArgumentException("a buffer of " + count + " elements: it must have at least 1");
        }
        Cuda cuda = Bindings.cuda();
        cuda.setDevice(device);
        long address = cuda.allocate(Math.multiplyExact(count, type.bytes()));
        return new DeviceMemory(cuda, device, type, count, address, null);
    }

    @Override
    public DeviceBuffer slice(long start, long count) {
        if (start < 0 || count < 1 || start + count > this.count) {
            throw new IllegalArgumentException(
                    "elements " + start + " to " + (start + count) + " are not all in " + this);
        }
        return new DeviceMemory(cuda, device, type, count, address() + start * type.bytes(), this);
    }

    @Override
    public int device() {
        return device;
    }

    @Override
    public DataType type() {
        return type;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long bytes() {
        return count * type.bytes();
    }

    @Override
    public long address() {
        if (isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
        return address;
    }

    private boolean isClosed() {
        return whole == null ? closed : whole.isClosed();
    }

    @Override
    public void write(float[] source, CudaStream stream) {
        checkFloats(source);
        cuda.setDevice(device);
        cuda.copyIn(address(), source, stream.address());
    }

    @Override
    public void read(float[] target, CudaStream stream) {
        checkFloats(target);
        cuda.setDevice(device);
        cuda.copyOut(target, address(), stream.address());
    }

    @Override
    public void read(long offset, ByteBuffer target) {
        checkBytes(offset, target);
        bounce.copyOut(address() + offset, target);
    }

    @Override
    public void write(long offset, ByteBuffer source) {
        checkBytes(offset, source);
        bounce.copyIn(address() + offset, source);
    }

    private void checkBytes(long offset, ByteBuffer buffer) {
        if (offset < 0 || offset + buffer.remaining() > bytes()) {
            throw new IllegalArgumentException(
                    "bytes " + offset + " to " + (offset + buffer.remaining()) + " are not all in " + this);
        }
    }

    @Override
    public void copyFrom(DeviceBuffer source, CudaStream stream) {
        if (source.bytes() != bytes()) {
            throw new IllegalArgumentException(source + " and " + this + " differ in size");
        }
        cuda.setDevice(device);
        cuda.copy(address(), source.address(), bytes(), stream.address());
    }

    @Override
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
     * Waits only briefly, because CUDA waits for the device. While a collective hangs, it is often the exception that closes
     * this buffer which leads to the abort that ends the collective.
     */
    @Override
    public void close() {
        if (closed || whole != null) {
            return;
        }
        closed = true;
        NativeCall<Boolean> free = NativeCall.start("release of " + this, () -> {
            cuda.setDevice(device);
            bounce.close();
            cuda.free(address);
        });
        try {
            if (!free.endsWithin(CLOSE_LIMIT)) {
                LOG.debug("{} will be freed when the device has finished its work", this);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "buffer of " + count + " " + type + " on device " + device;
    }
}
