package dev.resiliency.inprocess.internal.cycle;

import java.time.Instant;

/** The two clocks: one for durations, one for display. */
public interface Clock {
    /** The clocks of this process and host. */
    Clock SYSTEM = new Clock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }
    };

    /** Returns nanoseconds from an arbitrary origin, the same for all processes of a host: for durations and limits. */
    long nanoTime();

    /** Returns the time of day, for display only: clocks of different hosts are never compared. */
    Instant now();
}
