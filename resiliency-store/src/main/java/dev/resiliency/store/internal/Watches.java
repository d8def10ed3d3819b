package dev.resiliency.store.internal;

import dev.resiliency.store.Change;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.spi.StoreLimit;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The watches of keys and prefixes. A change costs one look-up per distinct length of the watched prefixes, however
 * many there are.
 */
final class Watches {
    private final Limits limits;
    private final Usage usage;
    private final SetsByName<Watch> byKey = new SetsByName<>();
    private final NavigableMap<Integer, SetsByName<Watch>> byLengthOfPrefix = new TreeMap<>();
    private int count;

    Watches(Limits limits, Usage usage) {
        this.limits = limits;
        this.usage = usage;
    }

    void add(KeyspaceSession session, String key, Consumer<? super Change> listener) {
        add(new Watch(session, key, false, listener));
    }

    void remove(KeyspaceSession session, String key, Consumer<? super Change> listener) {
        remove(new Watch(session, key, false, listener));
    }

    void addPrefix(KeyspaceSession session, String prefix, Consumer<? super Change> listener) {
        add(new Watch(session, prefix, true, listener));
    }

    void removePrefix(KeyspaceSession session, String prefix, Consumer<? super Change> listener) {
        remove(new Watch(session, prefix, true, listener));
    }

    private void add(Watch watch) {
        String key = watch.key();
        limits.check(key);
        Set<Watch> others = watch.session().watches();
        if (others.contains(watch)) {
            return;
        }
        if (others.size() >= limits.of(StoreLimit.WAITERS)) {
            throw new StoreRequestException("key %s: a watch beyond %d is over %s"
                    .formatted(Limits.shown(key), others.size(), limits.describe(StoreLimit.WAITERS)));
        }
        usage.take(Sizes.of(key), key);
        SetsByName<Watch> watches =
                watch.isPrefix() ? byLengthOfPrefix.computeIfAbsent(key.length(), unused -> new SetsByName<>()) : byKey;
        watches.add(key, watch);
        others.add(watch);
        count++;
    }

    private void remove(Watch watch) {
        if (watch.session().watches().remove(watch)) {
            forget(watch);
        }
    }

    void removeAll(KeyspaceSession session) {
        session.watches().forEach(this::forget);
        session.watches().clear();
    }

    private void forget(Watch watch) {
        String key = watch.key();
        if (watch.isPrefix()) {
            byLengthOfPrefix.computeIfPresent(key.length(), (unused, byPrefix) -> {
                byPrefix.remove(key, watch);
                return byPrefix.isEmpty() ? null : byPrefix;
            });
        } else {
            byKey.remove(key, watch);
        }
        usage.giveBack(Sizes.of(key));
        count--;
    }

    /** Returns the number of watches. */
    int count() {
        return count;
    }

    void tell(Change change) {
        String key = change.key();
        tell(byKey, key, change);
        if (!byLengthOfPrefix.isEmpty()) {
            byLengthOfPrefix
                    .headMap(key.length(), true)
                    .forEach((length, byPrefix) -> tell(byPrefix, key.substring(0, length), change));
        }
    }

    private static void tell(SetsByName<Watch> watches, String name, Change change) {
        watches.get(name).forEach(watch -> watch.tell(change));
    }
}
