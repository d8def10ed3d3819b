package dev.resiliency.state.internal;

import java.nio.ByteBuffer;

/** Bytes that are sent and received in pieces. */
interface Bytes {
    /** Returns the number of bytes. */
    long bytes();

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
}
