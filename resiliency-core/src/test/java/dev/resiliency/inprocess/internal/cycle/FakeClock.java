package dev.resiliency.inprocess.internal.cycle;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is advanced. */
public final class FakeClock implements Clock {
    private final AtomicLong nanos = new AtomicLong(1_000_000_000);

    public void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanos.get());
    }
}
