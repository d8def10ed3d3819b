package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.internal.cycle.Waker;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps atomic sections and the restart apart: once shut, no section begins, and the restart proceeds when none runs.
 *
 * <p>Entering a section and shutting the gate take the same lock, so a section entered at that moment either finds the
 * gate shut or is seen by the restart. A thread that waits for a section when the gate is shut is rejected at once.
 */
final class AtomicGate implements CallWrapper.AtomicSection {
    private final RestartSignals signals;
    private final Waker waker;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition free = lock.newCondition();
    /** The thread whose section runs; null if none does. Written under {@code lock}; volatile for reads without it. */
    private volatile @Nullable Thread owner;
    /** The number of nested sections of the owner. Guarded by {@code lock}. */
    private int depth;
    /** Written once, under {@code lock}; volatile so that {@link #stopsThisThread} costs no lock while it is open. */
    private volatile boolean shut;

    AtomicGate(RestartSignals signals, Waker waker) {
        this.signals = signals;
        this.waker = waker;
    }

    /** Enters a section; throws {@link RestartSignal} if the gate is shut and no outer section is open. */
    CallWrapper.AtomicSection enter() {
        if (!enters(Thread.currentThread())) {
            throw signals.next();
        }
        return this;
    }

    private boolean enters(Thread self) {
        lock.lock();
        try {
            while (owner != null && owner != self && !shut) {
                free.awaitUninterruptibly(); // until the section ends, or the restart begins
            }
            boolean allowed = owner == self || !shut;
            if (allowed) {
                owner = self;
                depth++;
            }
            return allowed;
        } finally {
            lock.unlock();
        }
    }

    /** Leaves the innermost section of this thread. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (owner != Thread.currentThread()) {
                throw new IllegalMonitorStateException("this thread is in no atomic section");
            }
            if (--depth == 0) {
                release();
            }
        } finally {
            lock.unlock();
        }
    }

    private void release() {
        owner = null;
        depth = 0;
        free.signal();
        if (shut) {
            waker.wake();
        }
    }

    /** Shuts the gate: no further section begins. */
    void shut() {
        lock.lock();
        try {
            shut = true;
            free.signalAll();
        } finally {
            lock.unlock();
        }
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

    /**
     * Ends the section of a thread that has ended without closing it; does nothing if that thread's section is not
     * running.
     */
    void closeFor(Thread ended) {
        lock.lock();
        try {
            if (owner == ended) {
                release();
            }
        } finally {
            lock.unlock();
        }
    }
}
