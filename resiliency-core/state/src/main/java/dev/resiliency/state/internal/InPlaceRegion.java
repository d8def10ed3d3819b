package dev.resiliency.state.internal;

import java.nio.ByteBuffer;

/** A region whose bytes are sent and received in place. */
interface InPlaceRegion extends Region {
    /** Returns its bytes. */
    ByteBuffer memory();

    @Override
    default long bytes() {
        return memory().capacity();
    }

    @Override
    default ByteBuffer read(long offset, int length, ByteBuffer staging) {
        return memory().slice(Math.toIntExact(offset), length);
    }

    @Override
    default ByteBuffer target(long offset, int length, ByteBuffer staging) {
        return memory().slice(Math.toIntExact(offset), length);
    }

    @Override
    default void received(long offset, ByteBuffer filled) {
        // it is in place
    }
}
