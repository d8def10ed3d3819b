package dev.resiliency.state.internal;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/** A byte buffer: on the heap, direct, or a mapped file. Its bytes are sent and received in place. */
record MemoryRegion(String name, ElementType type, ByteBuffer memory) implements Region {

    @Override
    public long bytes() {
        return memory.capacity();
    }

    @Override
    public Buffer handle() {
        return memory.duplicate().clear().order(memory.order());
    }

    @Override
    public ByteBuffer read(long offset, int length, ByteBuffer staging) {
        return slice(offset, length);
    }

    @Override
    public ByteBuffer target(long offset, int length, ByteBuffer staging) {
        return slice(offset, length);
    }

    @Override
    public void received(long offset, ByteBuffer filled) {
        // it is in place
    }

    private ByteBuffer slice(long offset, int length) {
        return memory.slice(Math.toIntExact(offset), length);
    }
}
