package dev.resiliency.store.internal;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Waits until one key has a part that is not empty, and reads it. */
final class PartWait implements Wait {
    private final Entries entries;
    private final Operation.GetPart get;
    private @Nullable Value part;

    PartWait(Entries entries, Operation.GetPart get) {
        this.entries = entries;
        this.get = get;
    }

    @Override
    public boolean endOrEnlist(Request request) {
        Value value = entries.value(get.key());
        part = value == null ? null : get.in(value);
        if (part == null) {
            entries.list(get.key(), request);
        }
        return part != null;
    }

    @Override
    public @Nullable Object result() {
        return part;
    }

    @Override
    public void withdraw(Request request) {
        entries.unlist(get.key(), request);
    }

    @Override
    public StoreException timeout(Duration timeout) {
        return MissingKeys.timeout(get.key(), get.part(), timeout);
    }
}
