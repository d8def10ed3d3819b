package dev.resiliency.store.internal;

import java.time.Duration;

/** Runs tasks later, on the thread or under the lock that owns the keyspace. */
public interface Timer {

    /** Runs the task once, after the delay; never before this method has returned. */
    Alarm schedule(Duration delay, Runnable task);

    /** The clock by which delays pass, in nanoseconds since any moment. */
    default long nanoTime() {
        return System.nanoTime();
    }

    /** A task that is due later. */
    interface Alarm {

        /** Forgets the task; nothing if it has run. */
        void cancel();
    }
}
