package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.internal.cycle.Waker;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The steps of the function in one iteration, and the step at which it has to stop.
 *
 * <p>Guards against the race of the function, which passes a step, with the store's thread, which announces that step:
 * both exchange the same word, so exactly one of the two is true. Either the function finds the step announced when it
 * comes to it, and stops there; or it had passed it when it was announced, and whoever announces it finds that.
 */
public final class SafePointGate {
    /** Before the first step. */
    private static final long NONE = -1;

    /** In {@link #latest}: a step is announced. */
    private static final long ANNOUNCED = Long.MIN_VALUE;

    private final RestartSignals signals;
    private final Waker waker;
    /**
     * The latest step that the function has passed, while none is announced. Exchanged by the worker and the store's
     * thread.
     */
    private final AtomicLong latest = new AtomicLong(NONE);
    /** As {@link #latest}, from the announcement on. Written by the store's thread right before that, then by the worker. */
    private volatile long latestSince = NONE;
    /** The first step that the function has passed. Written by the worker. */
    private volatile long first = NONE;
    /** Written by the store's thread, before it announces the step. */
    private volatile long announced;
    /** Written by the worker. */
    private volatile boolean hasStopped;
    /** Written by the store's thread or the worker, whichever notices it. */
    private volatile boolean hasMissed;

    SafePointGate(RestartSignals signals, Waker waker) {
        this.signals = signals;
        this.waker = waker;
    }

    /**
     * Passes a step, unless it is the one at which the function has to stop.
     *
     * @throws IllegalArgumentException if the step is not later than the one before
     */
    void pass(long step) {
        for (long before = latest.get(); before != ANNOUNCED; before = latest.get()) {
            requireLater(step, before);
            noteFirst(step);
            if (latest.compareAndSet(before, step)) {
                if (before == NONE) {
                    waker.wake(); // for the rank to watch for an announcement
                }
                return;
            }
        }
        passAnnounced(step);
    }

    private void passAnnounced(long step) {
        if (hasStopped) {
            throw signals.next(); // the function has swallowed the first one
        }
        requireLater(step, latestSince);
        if (step == announced) {
            hasStopped = true;
            waker.wake();
            throw signals.next();
        }
        noteFirst(step);
        latestSince = step;
        if (step > announced) {
            hasMissed = true; // the function has left out the step
            waker.wake();
        }
    }

    private void noteFirst(long step) {
        if (first == NONE) {
            first = step;
        }
    }

    private static void requireLater(long step, long before) {
        if (step <= before) {
            throw new IllegalArgumentException(
                    before == NONE
                            ? "step " + step + ": steps are counted from 0"
                            : "step %d comes after step %d: each step must have a larger number, and one thread must pass it once"
                                    .formatted(step, before));
        }
    }

    /** Announces the step at which the function has to stop; only the first one counts. From any thread. */
    public void announce(long step) {
        synchronized (this) {
            if (latest.get() == ANNOUNCED) {
                return;
            }
            announced = step;
            long passed;
            do {
                passed = latest.get();
                latestSince = passed; // first: whoever finds the step announced reads it
            } while (!latest.compareAndSet(passed, ANNOUNCED));
            if (passed >= step) {
                hasMissed = true;
            }
        }
        waker.wake();
    }

    /** Returns whether the function has passed a safe point in this iteration. */
    public boolean isUsed() {
        return latest() != NONE;
    }

    /** Returns the first step that the function has passed; negative if it has passed none. */
    public long first() {
        return first;
    }

    /** Returns the latest step that the function has passed. */
    public long latest() {
        long passed = latest.get();
        return passed == ANNOUNCED ? latestSince : passed;
    }

    /** Returns the announced step. */
    public long announced() {
        return announced;
    }

    /** Returns whether the function has come to the announced step, and must stop there. */
    public boolean hasStopped() {
        return hasStopped;
    }

    /** Returns whether the function has passed the announced step without stopping there. */
    public boolean hasMissed() {
        return hasMissed;
    }
}
