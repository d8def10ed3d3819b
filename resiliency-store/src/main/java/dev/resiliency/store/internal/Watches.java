package dev.resiliency.store.internal;

import dev.resiliency.store.Change;
import dev.resiliency.store.StoreLimit;
import dev.resiliency.store.StoreRequestException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Who is told of the changes of which key. */
final class Watches {
    private final Limits limits;
    private final Usage usage;
    private final Map<String, Set<Watch>> byKey = new HashMap<>();
    private final Map<KeyspaceSession, Set<Watch>> bySession = new HashMap<>();

    Watches(Limits limits, Usage usage) {
        this.limits = limits;
        this.usage = usage;
    }

    /** Two watches of a session are the same if key and listener are equal. */
    private record Watch(KeyspaceSession session, String key, Consumer<? super Change> listener) {
        void tell(Change change) {
            session.outlet().tell(listener, change);
        }
    }

    void add(KeyspaceSession session, String key, Consumer<? super Change> listener) {
        limits.check(key);
        Watch watch = new Watch(session, key, listener);
        Set<Watch> others = bySession.getOrDefault(session, Set.of());
        if (others.contains(watch)) {
            return;
        }
        if (others.size() >= limits.of(StoreLimit.WAITERS)) {
            throw new StoreRequestException("key %s: one watch more than %d is over %s"
                    .formatted(Limits.shown(key), others.size(), limits.describe(StoreLimit.WAITERS)));
        }
        usage.take(Sizes.of(key), key);
        byKey.computeIfAbsent(key, unused -> new LinkedHashSet<>()).add(watch);
        bySession.computeIfAbsent(session, unused -> new LinkedHashSet<>()).add(watch);
    }

    void remove(KeyspaceSession session, String key, Consumer<? super Change> listener) {
        Watch watch = new Watch(session, key, listener);
        if (bySession.getOrDefault(session, Set.of()).contains(watch)) {
            take(byKey, key, watch);
            take(bySession, session, watch);
            usage.giveBack(Sizes.of(key));
        }
    }

    void removeAll(KeyspaceSession session) {
        Set<Watch> watches = bySession.remove(session);
        if (watches != null) {
            for (Watch watch : watches) {
                take(byKey, watch.key(), watch);
                usage.giveBack(Sizes.of(watch.key()));
            }
        }
    }

    /** How many there are. */
    int count() {
        return bySession.values().stream().mapToInt(Set::size).sum();
    }

    void tell(Change change) {
        byKey.getOrDefault(change.key(), Set.of()).forEach(watch -> watch.tell(change));
    }

    private static <K> void take(Map<K, Set<Watch>> map, K name, Watch watch) {
        map.computeIfPresent(name, (unused, watches) -> {
            watches.remove(watch);
            return watches.isEmpty() ? null : watches;
        });
    }
}
