package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RankDiscardedException;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.worker.Faults;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether this rank leaves its job, and why. Confined to the monitor thread, but for the alarm. */
final class Departure {
    private final RestartStore store;
    private final Waker waker;
    private final Clock clock;
    private final int rank;
    /** Set once, by whichever thread first learns of a reason to leave. */
    private final AtomicReference<@Nullable Throwable> alarm = new AtomicReference<>();
    /** Written by the caller's thread, read by the monitor thread. */
    private volatile @Nullable InterruptedException callersInterrupt;

    private @Nullable Throwable reason;
    private @Nullable CompletableFuture<?> farewell;

    Departure(RestartStore store, Waker waker, Clock clock, int rank) {
        this.store = store;
        this.waker = waker;
        this.clock = clock;
        this.rank = rank;
    }

    /** Gives a reason to leave, which the monitor thread will find. From any thread. */
    void raise(Throwable because) {
        if (because instanceof InterruptedException interrupt) {
            callersInterrupt = interrupt;
        }
        alarm.compareAndSet(null, because);
        waker.wake();
    }

    /** The reason that {@link #raise} gave; null if there is none. */
    @Nullable
    Throwable alarm() {
        return alarm.get();
    }

    /** The interrupt of the caller, whatever was raised before it; null if there is none. */
    @Nullable
    InterruptedException callersInterrupt() {
        return callersInterrupt;
    }

    /** Why this rank leaves; null if that is not decided. */
    @Nullable
    Throwable reason() {
        return reason;
    }

    boolean isDecided() {
        return reason != null;
    }

    /** Decides to leave in iteration {@code k}, and tells the others if it is news to them. */
    void decide(Throwable because, int k) {
        reason = because;
        if (because instanceof RankDiscardedException || because instanceof RankFencedException) {
            farewell = waker.wakeWhenDone(store.leaveSilently());
        } else if (Faults.isNewsToOthers(because)) {
            farewell = waker.wakeWhenDone(store.leave(
                    k, new Interruption(rank, Faults.kindOfLeaving(because), clock.now(), Faults.textOf(because))));
        }
    }

    /** Whether the store has heard of it, or cannot. */
    boolean isTold() {
        return farewell == null || farewell.isDone();
    }
}
