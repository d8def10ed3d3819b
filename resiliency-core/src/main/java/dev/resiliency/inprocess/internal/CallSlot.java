package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The right to call a wrapper as one rank, held by one thread of a process at a time. Numbers the calls from 0: the
 * ranks of a job meet under that number.
 *
 * <p>A rank without a port is alone: no other rank counts its calls. There each wrapper has a slot of its own, so that
 * jobs of one rank may run side by side.
 */
final class CallSlot implements AutoCloseable {
    /** The slots that are held, and by which thread: the identity of a rank or, without a port, its wrapper. */
    private static final Map<Object, Thread> HELD = new ConcurrentHashMap<>();

    private static final Map<String, AtomicInteger> CALLS = new ConcurrentHashMap<>();

    private final Object slot;
    private final int number;

    private CallSlot(Object slot, int number) {
        this.slot = slot;
        this.number = number;
    }

    /**
     * Acquires the slot of a rank until {@link #close}.
     *
     * @param number that of the call, if the caller counts; null to count it here
     * @throws IllegalStateException if another call in this slot is in progress; the failed attempt is not counted
     */
    static CallSlot take(Environment environment, Object wrapper, @Nullable Integer number) {
        String identity = identityOf(environment);
        Object slot = environment.masterPort() == 0 ? wrapper : identity;
        Thread other = HELD.putIfAbsent(slot, Thread.currentThread());
        if (other != null) {
            throw new IllegalStateException(
                    "rank %d of %d is already in a call of a wrapper, made by the thread \"%s\": a rank makes one at a time"
                            .formatted(environment.rank(), environment.worldSize(), other.getName()));
        }
        return new CallSlot(
                slot,
                number == null
                        ? CALLS.computeIfAbsent(identity, rank -> new AtomicInteger())
                                .getAndIncrement()
                        : number);
    }

    /** A text: the JVM links the {@code hashCode} of a record on its first use, for longer than all else takes to begin. */
    private static String identityOf(Environment environment) {
        return environment.rank() + " " + environment.worldSize() + " " + environment.localRank() + " "
                + environment.masterAddress() + " " + environment.masterPort() + " " + environment.jobId();
    }

    /** Returns the number under which the ranks of the job meet. */
    int number() {
        return number;
    }

    @Override
    public void close() {
        HELD.remove(slot);
    }
}
