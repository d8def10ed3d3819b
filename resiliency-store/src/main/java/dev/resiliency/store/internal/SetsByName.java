package dev.resiliency.store.internal;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Sets under names, such as who waits for which key; each in the order in which its members came. None is empty. */
final class SetsByName<T> {
    private final Map<String, Set<T>> sets = new HashMap<>();

    void add(String name, T member) {
        sets.computeIfAbsent(name, unused -> new LinkedHashSet<>()).add(member);
    }

    /** Nothing if it is not in there. */
    void remove(String name, T member) {
        Set<T> members = sets.get(name);
        if (members != null && members.remove(member) && members.isEmpty()) {
            sets.remove(name);
        }
    }

    /** Takes the whole set out. */
    Set<T> removeAll(String name) {
        Set<T> members = sets.remove(name);
        return members == null ? Set.of() : members;
    }

    /** The members, to be read. */
    Set<T> get(String name) {
        return sets.getOrDefault(name, Set.of());
    }

    boolean isEmpty() {
        return sets.isEmpty();
    }
}
