package dev.resiliency.state.internal;

import dev.resiliency.state.LiveState.StateValue;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A value of any length. Its array is written to only while it is received, before the function has seen it. As for all
 * regions, one thread replaces it, while no other reads it.
 */
final class ValueRegion implements InPlaceRegion, StateValue {
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
    public ByteBuffer memory() {
        return ByteBuffer.wrap(bytes);
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
}
