package dev.resiliency.state.internal;

import dev.resiliency.state.LiveState.StateValue;
import dev.resiliency.state.StateBuffers;
import dev.resiliency.state.StateMemory;
import dev.resiliency.state.internal.Region.ElementType;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The buffers that an iteration has asked for: the replicated ones, or those of its shard. Confined to its thread. */
final class BufferSet implements StateBuffers {
    private final Replica replica;
    private final boolean isSharded;
    /** Throws if no buffer may be asked for, whose name it receives. */
    private final Consumer<String> check;
    /** In the order of their names. */
    private final Map<String, Region> used = new TreeMap<>();

    BufferSet(Replica replica, boolean isSharded, Consumer<String> check) {
        this.replica = replica;
        this.isSharded = isSharded;
        this.check = check;
    }

    List<Region> regions() {
        return new ArrayList<>(used.values());
    }

    @Override
    public FloatBuffer floats(String name, int length) {
        return (FloatBuffer) use(name, ElementType.FLOATS, length, () -> ArrayRegion.floats(name, length));
    }

    @Override
    public DoubleBuffer doubles(String name, int length) {
        return (DoubleBuffer) use(name, ElementType.DOUBLES, length, () -> ArrayRegion.doubles(name, length));
    }

    @Override
    public LongBuffer longs(String name, int length) {
        return (LongBuffer) use(name, ElementType.LONGS, length, () -> ArrayRegion.longs(name, length));
    }

    @Override
    public ByteBuffer bytes(String name, int length) {
        return (ByteBuffer) use(
                name,
                ElementType.BYTES,
                length,
                () -> new MemoryRegion(name, ElementType.BYTES, ByteBuffer.allocate(length)));
    }

    @Override
    public ByteBuffer memory(String name, Supplier<? extends ByteBuffer> allocate) {
        return (ByteBuffer) use(name, ElementType.MEMORY, null, () -> {
            ByteBuffer memory = allocate.get();
            if (memory.isReadOnly()) {
                throw new IllegalArgumentException("the buffer '" + name + "' is read-only");
            }
            return new MemoryRegion(name, ElementType.MEMORY, memory);
        });
    }

    @Override
    @SuppressWarnings("unchecked") // a buffer of this name is opened by the same code in each iteration
    public <M extends StateMemory> M external(String name, Supplier<M> open) {
        return (M) use(name, ElementType.EXTERNAL, null, () -> new ExternalRegion(name, open.get()));
    }

    StateValue value(String name) {
        return (StateValue) use(name, ElementType.VALUE, null, () -> new ValueRegion(name));
    }

    /** @param length the number of elements; null: any */
    private Object use(String name, ElementType type, @Nullable Integer length, Supplier<? extends Region> create) {
        if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the name of a buffer is '" + name + "'");
        }
        if (length != null && length < 0) {
            throw new IllegalArgumentException("the length of '" + name + "' is " + length);
        }
        check.accept(name);
        Region region = replica.region(name, isSharded, create);
        if (region.type() != type || (length != null && region.bytes() != (long) length * type.bytes())) {
            throw new IllegalArgumentException("the buffer '%s' was %s, and is now %s%s"
                    .formatted(name, Layout.describe(region), length == null ? "" : length + " ", Layout.nameOf(type)));
        }
        used.put(name, region);
        return region.handle();
    }
}
