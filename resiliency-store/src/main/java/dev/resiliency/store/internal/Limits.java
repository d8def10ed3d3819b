package dev.resiliency.store.internal;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.StoreLimit;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The limits of a store: ample for every sensible use, and a safeguard against endless loops. Immutable. */
public final class Limits {
    /** The exclusive upper bound of members of sets and participants of barriers. */
    public static final int MEMBERS = 1 << 20;

    private static final Limits DEFAULTS = new Limits(Map.of());
    private static final int SHOWN_CHARACTERS = 64;

    // All of them: every operation looks some up, and choosing between a changed limit and a default would box it.
    private final Map<StoreLimit, Long> values = new EnumMap<>(StoreLimit.class);

    private Limits(Map<StoreLimit, Long> changes) {
        for (StoreLimit limit : StoreLimit.values()) {
            values.put(limit, changes.getOrDefault(limit, limit.byDefault()));
        }
    }

    /** Returns the defaults. */
    public static Limits defaults() {
        return DEFAULTS;
    }

    /** Returns the defaults with these changes. */
    public static Limits of(Map<StoreLimit, Long> changes) {
        return new Limits(changes);
    }

    /** Returns the value of a limit. */
    public long of(StoreLimit limit) {
        return Objects.requireNonNull(values.get(limit));
    }

    /** Returns the end of the error message for something that exceeds the limit. */
    public String describe(StoreLimit limit) {
        return "the limit of %d (%s)".formatted(of(limit), limit);
    }

    /** Rejects a key that is too long. */
    public void check(String key) {
        long limit = of(StoreLimit.KEY_BYTES);
        // For most keys the length suffices, without looking at their characters.
        if ((long) key.length() * Sizes.MAX_BYTES_PER_CHARACTER > limit && Sizes.of(key) > limit) {
            throw new StoreRequestException("key %s: %d bytes of a key are over %s"
                    .formatted(shown(key), Sizes.of(key), describe(StoreLimit.KEY_BYTES)));
        }
    }

    /** Rejects a key that is too long, or a value that is too large. */
    public void check(String key, Value value) {
        check(key);
        if (value.size() > of(StoreLimit.VALUE_BYTES)) {
            throw new StoreRequestException("key %s: a value of %d bytes is over %s"
                    .formatted(shown(key), value.size(), describe(StoreLimit.VALUE_BYTES)));
        }
    }

    /** Rejects members that are too large. */
    public static void check(IndexSet members) {
        int highest = members.highest();
        if (highest >= MEMBERS) {
            throw new StoreRequestException("member %d is over the limit of %d".formatted(highest, MEMBERS - 1));
        }
    }

    /** Returns the key for error messages: in one line, and truncated if it is long. */
    public static String shown(String key) {
        return Value.printable(key, SHOWN_CHARACTERS);
    }
}
