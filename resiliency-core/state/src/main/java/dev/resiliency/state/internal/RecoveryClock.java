package dev.resiliency.state.internal;

import dev.resiliency.state.RecoveryReport.Phases;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Takes the times of one recovery. Confined to the function's thread. */
final class RecoveryClock {
    private final LongSupplier nanoTime;
    private final long start;
    private long agreed;
    private long connecting;
    private long filled;

    /** @param nanoTime the clock, as {@link System#nanoTime} */
    RecoveryClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
    }

    /** It is known which state is to be had. Returns how long that has taken. */
    Duration agreed() {
        agreed = nanoTime.getAsLong();
        return Duration.ofNanos(agreed - start);
    }

    /** So much of the time since then was spent before the first bytes of a part of the state arrived. */
    void connecting(Duration time) {
        connecting += time.toNanos();
    }

    /** The buffers hold the state; if that has been said before, that state was of no use. */
    void filled() {
        filled = nanoTime.getAsLong();
    }

    Duration elapsed() {
        return Duration.ofNanos(nanoTime.getAsLong() - start);
    }

    /** Returns the phases of the time that has passed since the start, of which {@code total} is the sum. */
    Phases phases(Duration total) {
        return new Phases(
                Duration.ofNanos(agreed - start),
                Duration.ofNanos(connecting),
                Duration.ofNanos(filled - agreed - connecting),
                total.minusNanos(filled - start));
    }
}
