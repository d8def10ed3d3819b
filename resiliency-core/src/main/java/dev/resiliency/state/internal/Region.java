package dev.resiliency.state.internal;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/** One named buffer of a state, as bytes. */
interface Region {
    String name();

    ElementType type();

    /** Returns the number of bytes. */
    long bytes();

    /** Returns a new view of the buffer, of all its elements. */
    Buffer view();

    /**
     * Returns some of the bytes, to read: a view of the memory itself or, where there is none, a copy.
     *
     * @param staging holds the copy
     */
    ByteBuffer read(long offset, int length, ByteBuffer staging);

    /**
     * Returns the space for some of the bytes, to be filled: the memory itself or, where that is no byte buffer, {@code
     * staging}. {@link #received} follows.
     */
    ByteBuffer target(long offset, int length, ByteBuffer staging);

    /** Takes over the bytes that have filled the {@link #target} at this offset. */
    void received(long offset, ByteBuffer filled);

    /** What a buffer consists of; part of the layout on which all ranks must agree. */
    enum ElementType {
        FLOATS(Float.BYTES),
        DOUBLES(Double.BYTES),
        LONGS(Long.BYTES),
        BYTES(1),
        /** Bytes of the user's. */
        MEMORY(1);

        private final int bytes;

        ElementType(int bytes) {
            this.bytes = bytes;
        }

        int bytes() {
            return bytes;
        }
    }
}
