package dev.resiliency.store.internal;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.StoreLimit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys and their entries. Every change of a key passes through here, to its watches and to the requests that wait
 * for it.
 */
final class Entries {
    private final Map<String, Entry> entries = new HashMap<>();
    // Sorted, so that the cost of an operation on a prefix depends on what it finds and not on the size of the store.
    private final NavigableSet<String> sortedKeys = new TreeSet<>();
    private final SetsByName<Request> waiting = new SetsByName<>();
    private final Limits limits;
    private final Usage usage;
    private final Work work;
    private final Watches watches;
    private final Consumer<Request> wake;

    Entries(Limits limits, Usage usage, Work work, Watches watches, Consumer<Request> wake) {
        this.limits = limits;
        this.usage = usage;
        this.work = work;
        this.watches = watches;
        this.wake = wake;
    }

    boolean exists(String key) {
        return entries.containsKey(key);
    }

    /** Returns the entry of the key, of any kind; null if it is absent. */
    @Nullable
    Entry find(String key) {
        return entries.get(key);
    }

    /** Returns the entry of the key, which must be of this kind; null if it is absent. */
    <E extends Entry> @Nullable E find(String key, Class<E> type) {
        Entry entry = entries.get(key);
        if (entry != null && !type.isInstance(entry)) {
            throw wrongKind(key, entry, Entry.kind(type));
        }
        return type.cast(entry);
    }

    static StoreRequestException wrongKind(String key, Entry entry, String needed) {
        return new StoreRequestException("key %s holds %s, and this operation needs %s"
                .formatted(Limits.shown(key), Entry.kind(entry.getClass()), needed));
    }

    /** Returns the value of a key; null if it is absent. */
    @Nullable
    Value value(String key) {
        Entry.Stored stored = find(key, Entry.Stored.class);
        return stored == null ? null : stored.value();
    }

    void write(String key, Value value) {
        Value old = value(key);
        makeRoom(old == null ? 1 : 0, growth(key, old, value), key);
        store(key, value);
    }

    /** Writes all of these values or none. */
    void writeAll(Map<String, Value> values) {
        int newKeys = 0;
        long growth = 0;
        for (Map.Entry<String, Value> entry : values.entrySet()) {
            Value old = value(entry.getKey());
            newKeys += old == null ? 1 : 0;
            growth += growth(entry.getKey(), old, entry.getValue());
        }
        makeRoom(newKeys, growth, "several keys at once");
        values.forEach(this::store);
    }

    /** Returns how many more bytes it takes to hold the value under this key. */
    private long growth(String key, @Nullable Value old, Value value) {
        limits.check(key, value);
        return old == null ? Sizes.ofStored(key) + value.size() : value.size() - old.size();
    }

    private void makeRoom(int newKeys, long growth, String name) {
        if (newKeys > 0 && entries.size() + newKeys > limits.of(StoreLimit.KEYS)) {
            throw new StoreRequestException("%s: a key beyond the existing %d would be over %s"
                    .formatted(Limits.shown(name), entries.size(), limits.describe(StoreLimit.KEYS)));
        }
        usage.take(growth, name);
    }

    private void store(String key, Value value) {
        put(key, new Entry.Stored(value));
        watches.tell(new Change.Written(key, value));
    }

    /** Creates the entry of a key that is absent. */
    void create(String key, Entry entry) {
        limits.check(key);
        makeRoom(1, Sizes.ofStored(key) + entry.bytes(), key);
        put(key, entry);
    }

    /**
     * Adds to a set, which is created if it is absent; returns the new members.
     *
     * @param dependentGrowth how many more bytes others take because of it
     */
    IndexSet addToSet(String key, IndexSet members, long dependentGrowth) {
        Entry.Members set = find(key, Entry.Members.class);
        limits.check(key);
        Limits.check(members);
        boolean isNew = set == null;
        if (set == null) {
            set = new Entry.Members();
            makeRoom(1, Sizes.ofStored(key) + set.growth(members) + dependentGrowth, key);
            put(key, set);
        } else {
            usage.take(set.growth(members) + dependentGrowth, key);
        }
        IndexSet joined = set.add(members);
        if (isNew || !joined.isEmpty()) {
            watches.tell(new Change.Joined(key, joined));
        }
        return joined;
    }

    private void put(String key, Entry entry) {
        if (entries.put(key, entry) == null) {
            sortedKeys.add(key);
        }
        waiting.removeAll(key).forEach(wake);
    }

    /** Removes the key; returns its entry. */
    @Nullable
    Entry remove(String key) {
        Entry entry = entries.remove(key);
        if (entry != null) {
            sortedKeys.remove(key);
            usage.giveBack(Sizes.ofStored(key) + entry.bytes());
            watches.tell(new Change.Deleted(key));
        }
        return entry;
    }

    int count() {
        return entries.size();
    }

    /** Returns the keys with this prefix, in alphabetical order. */
    List<String> keys(String prefix) {
        List<String> keys = new ArrayList<>();
        for (String key : sortedKeys.tailSet(prefix)) {
            if (!key.startsWith(prefix)) {
                break;
            }
            work.visit(1);
            keys.add(key);
        }
        return Collections.unmodifiableList(keys);
    }

    /** Returns the number of keys with this prefix. */
    int count(String prefix) {
        if (prefix.isEmpty()) {
            return entries.size();
        }
        int count = 0;
        for (String key : sortedKeys.tailSet(prefix)) {
            if (!key.startsWith(prefix)) {
                break;
            }
            work.visit(1);
            count++;
        }
        return count;
    }

    /** Lists the request to be woken when the key is written. */
    void list(String key, Request request) {
        limits.check(key);
        waiting.add(key, request);
    }

    void unlist(String key, Request request) {
        waiting.remove(key, request);
    }
}
