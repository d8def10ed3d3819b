package dev.resiliency.store.internal;

import dev.resiliency.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits until all of some keys exist. It is listed under one key at a time, the first that it finds missing. */
final class KeyWait implements Wait {
    private final Entries entries;
    private final List<String> keys;
    private final Supplier<@Nullable Object> read;
    private int next;

    KeyWait(Entries entries, List<String> keys, Supplier<@Nullable Object> read) {
        this.entries = entries;
        this.keys = keys;
        this.read = read;
    }

    @Override
    public boolean endOrEnlist(Request request) {
        // Continues where it stopped, so that n keys cost n look-ups, and then checks all once more, as some may have
        // been deleted since.
        next = firstMissing(next);
        if (next == keys.size()) {
            next = firstMissing(0);
        }
        if (next == keys.size()) {
            return true;
        }
        entries.list(keys.get(next), request);
        return false;
    }

    private int firstMissing(int from) {
        int index = from;
        while (index < keys.size() && entries.exists(keys.get(index))) {
            index++;
        }
        return index;
    }

    @Override
    public @Nullable Object result() {
        return read.get();
    }

    @Override
    public void withdraw(Request request) {
        entries.unlist(keys.get(next), request);
    }

    @Override
    public StoreException timeout(Duration timeout) {
        List<String> missing =
                keys.stream().filter(key -> !entries.exists(key)).distinct().toList();
        return MissingKeys.timeout(missing, timeout);
    }
}
