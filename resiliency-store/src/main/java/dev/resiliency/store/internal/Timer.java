package dev.resiliency.store.internal;

import java.time.Duration;

/** Runs tasks later, on the thread or under the lock that owns the keyspace. */
public interface Timer {

    /** Runs the task once after the delay, but never before this method has returned. */
    Alarm schedule(Duration delay, Runnable task);

    /** Returns the clock of the delays, in nanoseconds from an arbitrary origin. */
    default long nanoTime() {
        return System.nanoTime();
    }

    /** A scheduled task. */
    interface Alarm {

        /** Cancels the task; does nothing if it has run. */
        void cancel();
    }
}
