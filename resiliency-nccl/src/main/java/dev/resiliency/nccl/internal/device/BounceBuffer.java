package dev.resiliency.nccl.internal.device;

import dev.resiliency.nccl.internal.natives.Cuda;
import dev.resiliency.nccl.internal.natives.PinnedMemory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Copies between device memory and buffers of Java, through pinned memory of the host: the device reads and writes that at
 * the full speed of the bus. It is allocated when it is first used. Safe for use by many threads, one at a time.
 */
final class BounceBuffer {
    /** As large as a chunk in which a state is sent. */
    private static final int BYTES = 256 << 10;

    private final Cuda cuda;
    private final int device;
    /** Null before the first use, and after the end. Guarded by this. */
    private @Nullable PinnedMemory pinned;
    /** Does not wait for the work of other streams. Guarded by this. */
    private long stream;

    BounceBuffer(Cuda cuda, int device) {
        this.cuda = cuda;
        this.device = device;
    }

    private PinnedMemory open() {
        cuda.setDevice(device);
        PinnedMemory memory = pinned;
        if (memory == null) {
            stream = cuda.createStream();
            memory = cuda.allocatePinned(BYTES);
            pinned = memory;
        }
        return memory;
    }

    /** Fills the target with the bytes from this address on. */
    synchronized void copyOut(long address, ByteBuffer target) {
        PinnedMemory memory = open();
        ByteBuffer bytes = memory.bytes();
        for (long from = address; target.hasRemaining(); ) {
            int count = Math.min(BYTES, target.remaining());
            cuda.copy(memory.address(), from, count, stream);
            cuda.synchronizeStream(stream);
            target.put(bytes.slice(0, count));
            from += count;
        }
    }

    /** Copies the bytes of the source to this address. */
    synchronized void copyIn(long address, ByteBuffer source) {
        PinnedMemory memory = open();
        ByteBuffer bytes = memory.bytes();
        for (long to = address; source.hasRemaining(); ) {
            int count = Math.min(BYTES, source.remaining());
            bytes.put(0, source, source.position(), count);
            source.position(source.position() + count);
            cuda.copy(to, memory.address(), count, stream);
            cuda.synchronizeStream(stream); // before the bytes are replaced
            to += count;
        }
    }

    /** Frees the pinned memory, if there is any; on a thread that has selected the device. */
    synchronized void close() {
        PinnedMemory memory = pinned;
        if (memory != null) {
            pinned = null;
            cuda.destroyStream(stream);
            cuda.free(memory);
        }
    }
}
