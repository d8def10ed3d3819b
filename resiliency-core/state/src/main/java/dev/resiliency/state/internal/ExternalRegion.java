package dev.resiliency.state.internal;

import dev.resiliency.state.StateMemory;
import java.nio.ByteBuffer;

/** Memory that Java does not see: each piece is copied on its way. */
record ExternalRegion(String name, StateMemory handle) implements Region {

    @Override
    public ElementType type() {
        return ElementType.EXTERNAL;
    }

    @Override
    public long bytes() {
        return handle.bytes();
    }

    @Override
    public ByteBuffer read(long offset, int length, ByteBuffer staging) {
        ByteBuffer copy = target(offset, length, staging);
        handle.read(offset, copy.duplicate());
        return copy;
    }

    @Override
    public ByteBuffer target(long offset, int length, ByteBuffer staging) {
        return staging.slice(0, length);
    }

    @Override
    public void received(long offset, ByteBuffer filled) {
        handle.write(offset, filled.duplicate());
    }
}
