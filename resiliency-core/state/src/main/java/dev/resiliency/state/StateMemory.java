package dev.resiliency.state;

import java.nio.ByteBuffer;

/**
 * Memory that Java does not see, as part of a {@link LiveState}: such as that of a device, by {@code DeviceStateMemory} of
 * resiliency-nccl. One thread writes to it at a time, while others may read other parts of it.
 *
 * @since 0.1.0
 */
public interface StateMemory {

    /** Returns its size in bytes, which never changes. */
    long bytes();

    /** Copies the bytes from {@code offset} on into the target, which they fill; waits for the end. */
    void read(long offset, ByteBuffer target);

    /** Copies the bytes of the source to {@code offset}; waits for the end. */
    void write(long offset, ByteBuffer source);
}
