package dev.resiliency.inprocess;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Refuses threads to the caller, and to the threads that it has started, as a system does whose limit is reached: from a
 * certain one on, none is created.
 */
final class RefusedThreads extends InheritableThreadLocal<Boolean> {
    private final AtomicInteger created = new AtomicInteger();
    private final int granted;

    /** Grants this number of threads to the calling thread and its descendants. */
    RefusedThreads(int granted) {
        this.granted = granted;
        set(true);
    }

    @Override
    protected Boolean childValue(Boolean inherited) {
        if (created.incrementAndGet() > granted) {
            throw new OutOfMemoryError("unable to create native thread: granted " + granted);
        }
        return inherited;
    }

    boolean hasRefused() {
        return created.get() > granted;
    }
}
