package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The right to call a wrapper as one rank, held by one thread of a process at a time. Numbers the calls from 0: the
 * ranks of a job meet under that number.
 */
final class CallSlot implements AutoCloseable {
    private static final Map<Environment, CallSlot> SLOTS = new ConcurrentHashMap<>();

    private final AtomicReference<@Nullable Thread> owner = new AtomicReference<>();
    /** Owned by the thread that holds the slot. */
    private int calls;

    private CallSlot() {}

    /**
     * Acquires the slot of a rank until {@link #close}.
     *
     * @throws IllegalStateException if another call of this rank is in progress; the failed attempt is not counted
     */
    static CallSlot take(Environment environment) {
        CallSlot slot = SLOTS.computeIfAbsent(environment, rank -> new CallSlot());
        Thread other = slot.owner.compareAndExchange(null, Thread.currentThread());
        if (other != null) {
            throw new IllegalStateException(
                    "rank %d of %d is already in a call of a wrapper, made by the thread \"%s\": a rank makes one at a time"
                            .formatted(environment.rank(), environment.worldSize(), other.getName()));
        }
        slot.calls++;
        return slot;
    }

    /** Returns how many calls this rank had made before this one. */
    int number() {
        return calls - 1;
    }

    @Override
    public void close() {
        owner.set(null);
    }
}
