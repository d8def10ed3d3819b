package dev.resiliency.state.internal;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;

/** An array of numbers on the heap, whose bytes are little-endian copies of its elements. */
record ArrayRegion(String name, ElementType type, Buffer elements, Copy out, Copy in) implements Region {

    /** Copies {@code count} elements, from the one at {@code from}, to the bytes or from them. */
    @FunctionalInterface
    interface Copy {
        void copy(ByteBuffer bytes, int from, int count);
    }

    static ArrayRegion floats(String name, int length) {
        float[] array = new float[length];
        return new ArrayRegion(
                name,
                ElementType.FLOATS,
                FloatBuffer.wrap(array),
                (bytes, from, count) -> bytes.asFloatBuffer().put(array, from, count),
                (bytes, from, count) -> bytes.asFloatBuffer().get(array, from, count));
    }

    static ArrayRegion doubles(String name, int length) {
        double[] array = new double[length];
        return new ArrayRegion(
                name,
                ElementType.DOUBLES,
                DoubleBuffer.wrap(array),
                (bytes, from, count) -> bytes.asDoubleBuffer().put(array, from, count),
                (bytes, from, count) -> bytes.asDoubleBuffer().get(array, from, count));
    }

    static ArrayRegion longs(String name, int length) {
        long[] array = new long[length];
        return new ArrayRegion(
                name,
                ElementType.LONGS,
                LongBuffer.wrap(array),
                (bytes, from, count) -> bytes.asLongBuffer().put(array, from, count),
                (bytes, from, count) -> bytes.asLongBuffer().get(array, from, count));
    }

    @Override
    public long bytes() {
        return (long) elements.capacity() * type.bytes();
    }

    @Override
    public Buffer handle() {
        return elements.duplicate().clear();
    }

    @Override
    public ByteBuffer read(long offset, int length, ByteBuffer staging) {
        ByteBuffer copy = target(offset, length, staging);
        out.copy(copy, firstElement(offset), length / type.bytes());
        return copy;
    }

    @Override
    public ByteBuffer target(long offset, int length, ByteBuffer staging) {
        return staging.slice(0, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void received(long offset, ByteBuffer filled) {
        in.copy(
                filled.duplicate().order(ByteOrder.LITTLE_ENDIAN),
                firstElement(offset),
                filled.remaining() / type.bytes());
    }

    private int firstElement(long offset) {
        return Math.toIntExact(offset / type.bytes());
    }
}
