package dev.resiliency.state.internal;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/** A byte buffer: on the heap, direct, or a mapped file. */
record MemoryRegion(String name, ElementType type, ByteBuffer memory) implements InPlaceRegion {

    @Override
    public Buffer handle() {
        return memory.duplicate().clear().order(memory.order());
    }
}
