package dev.resiliency.state.internal;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The bytes of a copy, outside of the heap: a segment for each chunk. */
record CopyMemory(long bytes, List<ByteBuffer> segments) implements Bytes {

    static CopyMemory allocate(long bytes) {
        List<ByteBuffer> segments = new ArrayList<>();
        for (long start = 0; start < bytes; start += Chunks.BYTES) {
            segments.add(ByteBuffer.allocateDirect((int) Math.min(Chunks.BYTES, bytes - start)));
        }
        return new CopyMemory(bytes, segments);
    }

    @Override
    public ByteBuffer read(long offset, int length, ByteBuffer staging) {
        return target(offset, length, staging);
    }

    @Override
    public ByteBuffer target(long offset, int length, ByteBuffer staging) {
        return segments.get(Math.toIntExact(offset / Chunks.BYTES)).slice(0, length);
    }

    @Override
    public void received(long offset, ByteBuffer filled) {
        // it is in place
    }
}
