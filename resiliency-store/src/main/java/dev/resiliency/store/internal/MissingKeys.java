package dev.resiliency.store.internal;

import dev.resiliency.store.StoreTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Creates the exceptions of requests that timed out waiting for keys. */
final class MissingKeys {
    private static final int SHOWN_KEYS = 10;

    private MissingKeys() {}

    /** Names the missing part of a key. */
    static StoreTimeoutException timeout(String key, int part, Duration timeout) {
        return new StoreTimeoutException(
                "part %d of key %s was not set within %s s"
                        .formatted(part, Limits.shown(key), timeout.toMillis() / 1000.0),
                timeout);
    }

    /** Names the missing keys, or the first of many. */
    static StoreTimeoutException timeout(List<String> missing, Duration timeout) {
        String shown = missing.stream().limit(SHOWN_KEYS).map(Limits::shown).collect(Collectors.joining(", "));
        if (missing.size() > SHOWN_KEYS) {
            shown += " and " + (missing.size() - SHOWN_KEYS) + " more";
        }
        String message = missing.size() == 1 ? "key %s was" : "keys %s were";
        return new StoreTimeoutException(
                (message + " not set within %s s").formatted(shown, timeout.toMillis() / 1000.0), timeout);
    }
}
