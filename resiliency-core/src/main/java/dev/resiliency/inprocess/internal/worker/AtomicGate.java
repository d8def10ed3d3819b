package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.internal.cycle.Waker;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps atomic sections and the restart apart: once closed, no section begins, and the restart goes on when none runs.
 *
 * <p>Two races are guarded by the order of a volatile write and the lock, which each side takes in the opposite order. A
 * section that is entered while the gate closes either finds it closed, or is seen by {@link #isQuiet}. A section that
 * ends while the gate closes either wakes the restart, or is seen to have ended.
 */
final class AtomicGate implements CallWrapper.AtomicSection {
    private final RestartSignals signals;
    private final Waker waker;
    private final ReentrantLock section = new ReentrantLock();
    /** Written by the monitor thread, once; read by the workers. */
    private volatile boolean closed;

    AtomicGate(RestartSignals signals, Waker waker) {
        this.signals = signals;
        this.waker = waker;
    }

    /** Enters a section, or throws {@link RestartSignal} if the gate is closed and no outer section is open. */
    CallWrapper.AtomicSection enter() {
        section.lock();
        if (closed && section.getHoldCount() == 1) {
            close(); // wakes: the restart may have taken this moment for a section, and gone to sleep
            throw signals.next();
        }
        return this;
    }

    /** Leaves the innermost section of this thread. */
    @Override
    public void close() {
        section.unlock();
        if (closed) {
            waker.wake();
        }
    }

    /** Lets no further section begin. */
    void shut() {
        closed = true;
    }

    /** Whether this thread must go no further: the gate is closed, and the thread is in no section. */
    boolean stopsThisThread() {
        return closed && !section.isHeldByCurrentThread();
    }

    /**
     * Whether no section runs. If it is so once after {@link #shut}, none will run; a section that is refused may look
     * like one that runs, for a moment, and wakes at its end like one.
     */
    boolean isQuiet() {
        return !section.isLocked();
    }
}
