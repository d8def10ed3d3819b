package dev.resiliency.state.internal;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.state.CheckpointReader;
import dev.resiliency.state.LiveState;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.state.internal.Region.ElementType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One iteration's view of the replica of this process. */
final class ReplicatedState implements LiveState {
    private final Replica replica;
    private final CallWrapper call;
    /** The buffers that this iteration has asked for, in the order of their names. Confined to the function's thread. */
    private final Map<String, Region> used = new TreeMap<>();
    /** Confined to the function's thread. */
    private boolean hasBegun;
    /** Null before the end of the recovery. Written by the thread that recovers, read by the one that commits. */
    private volatile @Nullable RecoveryReport report;

    ReplicatedState(Replica replica, CallWrapper call) {
        this.replica = replica;
        this.call = call;
    }

    boolean isOf(CallWrapper other) {
        return call == other;
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

    /** @param length the number of elements; null: any */
    private Buffer use(String name, ElementType type, @Nullable Integer length, Supplier<? extends Region> create) {
        checkName(name);
        if (length != null && length < 0) {
            throw new IllegalArgumentException("the length of '" + name + "' is " + length);
        }
        checkCurrent();
        if (hasBegun) {
            throw new IllegalStateException("ask for the buffer '" + name + "' before recover");
        }
        Region region = replica.region(name, create);
        if (region.type() != type || (length != null && region.bytes() != (long) length * type.bytes())) {
            throw new IllegalArgumentException("the buffer '%s' was %s, and is now %s%s"
                    .formatted(name, Layout.describe(region), length == null ? "" : length + " ", Layout.nameOf(type)));
        }
        used.put(name, region);
        return region.view();
    }

    private static void checkName(String name) {
        if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the name of a buffer is '" + name + "'");
        }
    }

    private void checkCurrent() {
        call.checkRestart();
        if (!replica.isCurrent(this)) {
            throw new IllegalStateException("this LiveState is of iteration " + call.iteration()
                    + ", which is over: each call of the function must use LiveState.of(call)");
        }
    }

    @Override
    public <E extends Exception> long recover(CheckpointReader<E> checkpoint) throws E, InterruptedException {
        Objects.requireNonNull(checkpoint, "checkpoint is null");
        checkCurrent();
        if (hasBegun) {
            throw new IllegalStateException("recover was called before in iteration " + call.iteration());
        }
        hasBegun = true;
        List<Region> regions = new ArrayList<>(used.values());
        replica.retain(regions);
        RecoveryReport done = new Recovery(call, replica, regions).run(checkpoint);
        report = done;
        return done.step();
    }

    @Override
    @SuppressWarnings("try") // the section is only closed
    public void commit(long step, Runnable update) {
        try (AtomicSection section = call.atomic()) {
            checkCurrent();
            if (report == null) {
                throw new IllegalStateException("commit of step " + step + " before recover");
            }
            if (!replica.isWhole()) {
                throw new IllegalStateException("the update after step " + replica.step()
                        + " has failed, so the state is incomplete: let what it threw end the function");
            }
            if (step <= replica.step()) {
                throw new IllegalArgumentException(
                        "the state is that of step " + replica.step() + ", so step " + step + " cannot follow");
            }
            replica.beginWrite();
            update.run();
            replica.endWrite(step);
        }
    }

    @Override
    public RecoveryReport recovery() {
        RecoveryReport done = report;
        if (done == null) {
            throw new IllegalStateException("recover has not ended");
        }
        return done;
    }
}
