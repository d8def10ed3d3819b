package dev.resiliency.store.internal;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** How large a thing in a store may be: enough for every sensible use, and a wall against an endless loop. Immutable. */
public final class Limits {
    /** Members of sets and participants of barriers are smaller than this. */
    public static final int MEMBERS = 1 << 20;

    private static final Limits DEFAULTS = new Limits(Map.of());
    private static final int SHOWN_CHARACTERS = 64;

    // All of them: every operation asks for some, and to choose between a change and a default makes an object.
    private final Map<Store.Limit, Long> values = new EnumMap<>(Store.Limit.class);

    private Limits(Map<Store.Limit, Long> changes) {
        for (Store.Limit limit : Store.Limit.values()) {
            values.put(limit, changes.getOrDefault(limit, limit.byDefault()));
        }
    }

    /** What holds if nothing else is said. */
    public static Limits defaults() {
        return DEFAULTS;
    }

    /** The defaults but for these. */
    public static Limits of(Map<Store.Limit, Long> changes) {
        return new Limits(changes);
    }

    /** What this limit is. */
    public long of(Store.Limit limit) {
        return Objects.requireNonNull(values.get(limit));
    }

    /** How the error goes on that says that something was over the limit. */
    public String describe(Store.Limit limit) {
        return "the limit of %d (%s)".formatted(of(limit), limit);
    }

    /** Refuses a key that is too long. */
    public void check(String key) {
        long limit = of(Store.Limit.KEY_BYTES);
        // Of most keys the length says enough: none of their characters need be looked at.
        if ((long) key.length() * Sizes.MAX_BYTES_PER_CHARACTER > limit && Sizes.of(key) > limit) {
            throw new StoreRequestException("key %s: %d bytes of a key are over %s"
                    .formatted(shown(key), Sizes.of(key), describe(Store.Limit.KEY_BYTES)));
        }
    }

    /** Refuses a key that is too long, or a value that is too large. */
    public void check(String key, Value value) {
        check(key);
        if (value.size() > of(Store.Limit.VALUE_BYTES)) {
            throw new StoreRequestException("key %s: a value of %d bytes is over %s"
                    .formatted(shown(key), value.size(), describe(Store.Limit.VALUE_BYTES)));
        }
    }

    /** Refuses members that are too large. */
    public static void check(IndexSet members) {
        int highest = members.highest();
        if (highest >= MEMBERS) {
            throw new StoreRequestException("member %d is over the limit of %d".formatted(highest, MEMBERS - 1));
        }
    }

    /** The key as an error shows it, cut off where it is long. */
    public static String shown(String key) {
        return key.length() <= SHOWN_CHARACTERS ? key : key.substring(0, SHOWN_CHARACTERS) + "…";
    }
}
