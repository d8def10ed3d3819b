package dev.resiliency.nccl.internal.natives;

import java.nio.ByteBuffer;
import org.bytedeco.javacpp.BytePointer;

/** Memory of the host that a device reaches by itself. */
public record PinnedMemory(long address, int size) {

    /** Returns a view of all bytes, to be used as long as the memory is not freed. */
    public ByteBuffer bytes() {
        return new BytePointer(new Address(address)).capacity(size).asByteBuffer();
    }
}
