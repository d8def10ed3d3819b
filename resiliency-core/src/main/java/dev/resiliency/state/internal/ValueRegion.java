package dev.resiliency.state.internal;

import dev.resiliency.state.StateValue;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A value of any length. Its array is written to only while it is received, before the function has seen it. As for all
 * regions, one thread replaces it, while no other reads it.
 */
final class ValueRegion implements Region, StateValue {
    private final String name;
    private volatile byte[] bytes = {};

    ValueRegion(String name) {
        this.name = name;
    }

    /** Makes room for a value that is to be received. */
    void allocate(long length) {
        bytes = new byte[Math.toIntExact(length)];
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ElementType type() {
        return ElementType.VALUE;
    }

    @Override
    public long bytes() {
        return bytes.length;
    }

    @Override
    public StateValue handle() {
        return this;
    }

    @Override
    public byte[] get() {
        return bytes;
    }

    @Override
    public void set(byte[] value) {
        bytes = Objects.requireNonNull(value, "bytes is null");
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
        return ByteBuffer.wrap(bytes).slice(Math.toIntExact(offset), length);
    }
}
