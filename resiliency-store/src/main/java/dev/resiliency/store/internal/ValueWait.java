package dev.resiliency.store.internal;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waits until one key exists, and reads it, with one look-up per attempt. */
final class ValueWait implements Wait {
    private final Entries entries;
    private final String key;
    private @Nullable Value value;

    ValueWait(Entries entries, String key) {
        this.entries = entries;
        this.key = key;
    }

    @Override
    public boolean endOrEnlist(Request request) {
        value = entries.value(key);
        if (value == null) {
            entries.list(key, request);
        }
        return value != null;
    }

    @Override
    public @Nullable Object result() {
        return value;
    }

    @Override
    public void withdraw(Request request) {
        entries.unlist(key, request);
    }

    @Override
    public StoreException timeout(Duration timeout) {
        return MissingKeys.timeout(List.of(key), timeout);
    }
}
