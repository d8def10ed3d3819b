package dev.resiliency.store.internal;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits until all of some keys exist. It is listed under one key at a time, the first that it found missing. */
final class KeyWait implements Wait {
    private static final int SHOWN_KEYS = 10;

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
    public boolean isOver(Request request) {
        // On from where it stood, so that n keys cost n looks, and then once more all, for some may be gone again.
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
        String shown = String.join(", ", missing.subList(0, Math.min(missing.size(), SHOWN_KEYS)));
        if (missing.size() > SHOWN_KEYS) {
            shown += " and " + (missing.size() - SHOWN_KEYS) + " more";
        }
        String message = missing.size() == 1 ? "key %s was" : "keys %s were";
        return new StoreTimeoutException(
                (message + " not set within %s s").formatted(shown, timeout.toMillis() / 1000.0), timeout);
    }
}
