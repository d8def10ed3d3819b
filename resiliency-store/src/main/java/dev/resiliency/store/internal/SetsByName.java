package dev.resiliency.store.internal;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Named sets, such as the requests that wait for each key, each in insertion order. None is empty. */
final class SetsByName<T> {
    private final Map<String, Set<T>> sets = new HashMap<>();

    void add(String name, T member) {
        sets.computeIfAbsent(name, unused -> new LinkedHashSet<>()).add(member);
    }

    /** Removes a member; does nothing if it is absent. */
    void remove(String name, T member) {
        Set<T> members = sets.get(name);
        if (members != null && members.remove(member) && members.isEmpty()) {
            sets.remove(name);
        }
    }

    /** Removes and returns the whole set. */
    Set<T> removeAll(String name) {
        Set<T> members = sets.remove(name);
        return members == null ? Set.of() : members;
    }

    /** Returns the members, for reading only. */
    Set<T> get(String name) {
        return sets.getOrDefault(name, Set.of());
    }

    boolean isEmpty() {
        return sets.isEmpty();
    }
}
