package dev.resiliency.state.internal;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The copies that this process keeps beside the state itself: of its own parts, so that it can go back to their step, and
 * of the shards of others. Memory is used again, so that there is no more than for two copies of each.
 *
 * <p>Safe for use by many threads. A copy that is being written belongs to the thread that has begun it.
 */
final class Copies {
    /** One copy, complete unless its thread still fills it. */
    record Copy(List<CopyMemory> memory, Chunks chunks) {}

    /** Guarded by this. */
    private final Map<Copied, Copy> complete = new HashMap<>();
    /** Memory to be used again, by the sizes of the buffers that it is for. Guarded by this. */
    private final Map<List<Long>, Deque<List<CopyMemory>>> free = new HashMap<>();

    /** Returns memory for a copy, which {@link #add} or {@link #release} must follow. */
    Copy begin(Part part) {
        List<CopyMemory> memory;
        synchronized (this) {
            Deque<List<CopyMemory>> old = free.get(part.sizes());
            memory = old == null ? null : old.poll();
        }
        if (memory == null) {
            memory = allocate(part);
        }
        return new Copy(memory, new Chunks(memory));
    }

    private static List<CopyMemory> allocate(Part part) {
        try {
            return part.sizes().stream().map(CopyMemory::allocate).toList();
        } catch (OutOfMemoryError e) {
            throw new IllegalStateException(
                    "there is no memory outside of the heap for a copy of %s, of %d bytes: raise -XX:MaxDirectMemorySize"
                            .formatted(
                                    part,
                                    part.sizes().stream()
                                            .mapToLong(Long::longValue)
                                            .sum()),
                    e);
        }
    }

    /** Copies a part of the state, which must not change meanwhile. */
    void take(Copied name, Chunks from) {
        Copy copy = begin(name.part());
        copyAll(from, copy.chunks());
        add(name, copy);
    }

    /** Copies all chunks. */
    static void copyAll(Chunks from, Chunks to) {
        ByteBuffer staging = Chunks.newStaging();
        ByteBuffer targetStaging = Chunks.newStaging();
        for (int chunk = 0; chunk < from.count(); chunk++) {
            ByteBuffer target = to.target(chunk, targetStaging);
            target.put(from.read(chunk, staging).duplicate()).flip();
            to.received(chunk, target, Chunks.checksumOf(target));
        }
    }

    /** Keeps a copy that is complete now. */
    synchronized void add(Copied name, Copy copy) {
        Copy before = complete.put(name, copy);
        if (before != null) {
            release(name.part(), before);
        }
    }

    /** Gives memory back. While it is still being sent, it is left to the garbage collector instead. */
    synchronized void release(Part part, Copy copy) {
        if (!copy.chunks().isInUse()) {
            free.computeIfAbsent(part.sizes(), absent -> new ArrayDeque<>()).add(copy.memory());
        }
    }

    synchronized Set<Copied> names() {
        return Set.copyOf(complete.keySet());
    }

    synchronized @Nullable Chunks find(Copied name) {
        Copy copy = complete.get(name);
        return copy == null ? null : copy.chunks();
    }

    /** Drops the copies of these versions. They must not be served any more. */
    synchronized void drop(Predicate<Version> which) {
        complete.entrySet().removeIf(each -> {
            boolean goes = which.test(each.getKey().version());
            if (goes) {
                release(each.getKey().part(), each.getValue());
            }
            return goes;
        });
    }
}
