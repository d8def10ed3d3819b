package dev.resiliency.store.internal;

import dev.resiliency.store.Change;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Who is told of the changes of which key. */
final class Watches {
    private final Map<String, Set<Watch>> byKey = new HashMap<>();
    private final Map<KeyspaceSession, Set<Watch>> bySession = new HashMap<>();

    /** Two watches of a session are the same if key and listener are equal. */
    private record Watch(KeyspaceSession session, String key, Consumer<? super Change> listener) {
        void tell(Change change) {
            session.outlet().tell(listener, change);
        }
    }

    void add(KeyspaceSession session, String key, Consumer<? super Change> listener) {
        Limits.check(key);
        Watch watch = new Watch(session, key, listener);
        byKey.computeIfAbsent(key, unused -> new LinkedHashSet<>()).add(watch);
        bySession.computeIfAbsent(session, unused -> new LinkedHashSet<>()).add(watch);
    }

    void remove(KeyspaceSession session, String key, Consumer<? super Change> listener) {
        Watch watch = new Watch(session, key, listener);
        take(byKey, key, watch);
        take(bySession, session, watch);
    }

    void removeAll(KeyspaceSession session) {
        Set<Watch> watches = bySession.remove(session);
        if (watches != null) {
            watches.forEach(watch -> take(byKey, watch.key(), watch));
        }
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
