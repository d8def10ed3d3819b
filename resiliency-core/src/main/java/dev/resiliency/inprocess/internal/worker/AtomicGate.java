package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps atomic sections and the restart apart: once shut, no section begins, and the restart proceeds when none runs.
 *
 * <p>Entering a section and shutting the gate take the same lock, so a section entered at that moment either finds the
 * gate shut or is seen by the restart. A thread that waits for a section when the gate is shut is rejected at once.
 *
 * <p>The lock is the monitor of this object, and what it protects is written before anything is called: the function may
 * overflow its stack, or be thrown into, at any instruction. The virtual machine then releases a monitor, while a
 * {@link java.util.concurrent.locks.ReentrantLock} may stay locked for ever.
 */
final class AtomicGate implements CallWrapper.AtomicSection {
    private final RestartSignals signals;
    private final Waker waker;
    private final Supplier<CompletableFuture<Boolean>> membership;

    /** The thread whose section runs; null if none does. Written under the lock; volatile for reads without it. */
    private volatile @Nullable Thread owner;
    /** The number of nested sections of the owner. Guarded by the lock. */
    private int depth;
    /** Whether a section has been left, and when the last one was, by {@link System#nanoTime}. Guarded by the lock. */
    private boolean hasRun;

    private long left;
    /** Written once, under the lock; volatile so that {@link #stopsThisThread} costs no lock while it is open. */
    private volatile boolean shut;

    /** Creates an open gate; {@code membership} asks the store whether this rank still belongs to its job. */
    AtomicGate(RestartSignals signals, Waker waker, Supplier<CompletableFuture<Boolean>> membership) {
        this.signals = signals;
        this.waker = waker;
        this.membership = membership;
    }

    /** Enters a section; throws {@link RestartSignal} if the gate is shut and no outer section is open. */
    CallWrapper.AtomicSection enter() {
        if (!enters(Thread.currentThread())) {
            throw signals.next();
        }
        return this;
    }

    private boolean enters(Thread self) {
        boolean interrupted = false;
        boolean allowed;
        synchronized (this) {
            while (isTaken(self) && !shut) {
                try {
                    wait(); // until the section ends, or the restart begins
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            allowed = owner == self || !shut;
            if (allowed) {
                depth = owner == self ? depth + 1 : 1;
                owner = self;
            }
        }
        if (interrupted) {
            self.interrupt();
        }
        return allowed;
    }

    /** Returns whether another thread, which has not ended, has a section. */
    private boolean isTaken(Thread self) {
        Thread other = owner;
        return other != null && other != self && other.isAlive();
    }

    @Override
    public void confirm() {
        if (owner != Thread.currentThread()) {
            throw new IllegalMonitorStateException("this thread is in no atomic section");
        }
        try {
            if (membership.get().join()) {
                return;
            }
        } catch (CompletionException | StoreException unknown) {
            RestartSignal signal = signals.next();
            signal.addSuppressed(unknown);
            throw signal;
        }
        throw signals.next();
    }

    /** Leaves the innermost section of this thread. */
    @Override
    public void close() {
        boolean isLast;
        synchronized (this) {
            if (owner != Thread.currentThread()) {
                throw new IllegalMonitorStateException("this thread is in no atomic section");
            }
            depth--;
            isLast = depth == 0;
            if (isLast) {
                owner = null;
                notifyAll();
                left = System.nanoTime();
                hasRun = true;
            }
        }
        if (isLast && shut) {
            waker.wake();
        }
    }

    /** Shuts the gate: no further section begins. */
    synchronized void shut() {
        shut = true;
        notifyAll();
    }

    /** Returns whether this thread must stop: the gate is shut, and the thread is in no section. */
    boolean stopsThisThread() {
        return shut && owner != Thread.currentThread();
    }

    /** Returns the thread whose section runs; null if none does. Once it is null after {@link #shut}, it stays so. */
    @Nullable
    Thread owner() {
        return owner;
    }

    /** Returns whether a section runs, or ran less than this time ago. */
    synchronized boolean ranWithin(Duration time) {
        return owner != null || (hasRun && System.nanoTime() - left < time.toNanos());
    }

    /**
     * Ends the section of a thread that has ended without closing it; does nothing if that thread's section is not
     * running.
     */
    synchronized void closeFor(Thread ended) {
        if (owner == ended) {
            owner = null;
            notifyAll();
        }
    }
}
