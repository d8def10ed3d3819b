package dev.resiliency.store.internal.emulation;

import dev.resiliency.store.spi.EmulatedStore;
import dev.resiliency.store.spi.PlainStore;
import java.time.Duration;

/** Starts emulated stores. */
public final class EmulatedStoreBuilder implements EmulatedStore.Builder {
    private Duration timeout = Duration.ofMinutes(5);
    private Duration pollInterval = Duration.ofMillis(50);
    private String name = "emulated";

    @Override
    public EmulatedStore.Builder timeout(Duration timeout) {
        this.timeout = timeout;
        return this;
    }

    @Override
    public EmulatedStore.Builder pollInterval(Duration pollInterval) {
        if (pollInterval.isNegative() || pollInterval.isZero()) {
            throw new IllegalArgumentException("pollInterval must be positive, not " + pollInterval);
        }
        this.pollInterval = pollInterval;
        return this;
    }

    @Override
    public EmulatedStore.Builder name(String name) {
        this.name = name;
        return this;
    }

    @Override
    public EmulatedStore build(PlainStore plain) {
        return new PollingStore(plain, timeout, pollInterval, name);
    }
}
