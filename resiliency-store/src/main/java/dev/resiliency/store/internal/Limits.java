package dev.resiliency.store.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;

/** How large a thing in a store may be: enough for every sensible use, and a wall against an endless loop. */
public final class Limits {
    /** Bytes of a key in UTF-8. */
    public static final int KEY_BYTES = 8 << 10;

    /** Bytes of a value. */
    public static final int VALUE_BYTES = 8 << 20;

    /** Members of sets and participants of barriers are smaller than this. */
    public static final int MEMBERS = 1 << 20;

    private static final int MAX_UTF_8_BYTES_PER_CHAR = 3;
    private static final int SHOWN_CHARACTERS = 64;

    private Limits() {}

    static void check(String key) {
        if (key.length() > KEY_BYTES / MAX_UTF_8_BYTES_PER_CHAR && key.getBytes(UTF_8).length > KEY_BYTES) {
            throw new StoreRequestException("key %s… is longer than the limit of %d bytes"
                    .formatted(key.substring(0, SHOWN_CHARACTERS), KEY_BYTES));
        }
    }

    static void check(String key, Value value) {
        check(key);
        if (value.size() > VALUE_BYTES) {
            throw new StoreRequestException(
                    "key %s: a value of %d bytes is over the limit of %d".formatted(key, value.size(), VALUE_BYTES));
        }
    }

    /** Refuses members that are too large. */
    public static void check(IndexSet members) {
        int highest = members.highest();
        if (highest >= MEMBERS) {
            throw new StoreRequestException("member %d is over the limit of %d".formatted(highest, MEMBERS - 1));
        }
    }
}
