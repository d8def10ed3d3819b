package dev.resiliency.state;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.function.Supplier;

/**
 * Gives out the named buffers of which a state consists. The name identifies a buffer in all iterations and on all ranks.
 *
 * @since 0.1.0
 */
public interface StateBuffers {

    /**
     * Returns a buffer of floats on the heap, whose {@link FloatBuffer#array} may be used. It is created, with zeros, the
     * first time, and is then the same array in all iterations of this process.
     *
     * @throws IllegalArgumentException if the buffer of this name has another type or length
     * @throws IllegalStateException after {@link LiveState#recover}
     */
    FloatBuffer floats(String name, int length);

    /** Returns a buffer of doubles on the heap: see {@link #floats}. */
    DoubleBuffer doubles(String name, int length);

    /** Returns a buffer of longs on the heap: see {@link #floats}. */
    LongBuffer longs(String name, int length);

    /** Returns a buffer of bytes on the heap: see {@link #floats}. */
    ByteBuffer bytes(String name, int length);

    /**
     * Registers a caller's buffer: a direct one, or a mapped file. It is transferred without being
     * copied in this process. What it contains the first time counts for nothing.
     *
     * @param allocate returns the buffer, whose whole capacity counts; called in the first iteration of this process only
     * @return a view of the buffer, of all its bytes and with its byte order
     * @throws IllegalArgumentException if the buffer of this name has another type, or the buffer is read-only
     * @throws IllegalStateException after {@link LiveState#recover}
     */
    ByteBuffer memory(String name, Supplier<? extends ByteBuffer> allocate);

    /**
     * Registers memory that Java does not see, such as that of a device. It is transferred through buffers
     * of at most 256 KiB. What it contains the first time counts for nothing.
     *
     * @param open returns the memory; called in the first iteration of this process only. The state never frees it
     * @return what {@code open} has returned
     * @throws IllegalArgumentException if the buffer of this name has another type
     * @throws IllegalStateException after {@link LiveState#recover}
     */
    <M extends StateMemory> M external(String name, Supplier<M> open);
}
