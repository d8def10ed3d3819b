package dev.resiliency.store.internal;

import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.spi.StoreLimit;

/**
 * Limits the work of one step of a keyspace, during which all other clients wait: a request of a few bytes may visit
 * every key, or copy a large value, thousands of times. A request over the limit is refused. The owner of the keyspace
 * owns it.
 */
final class Work {
    /** A few milliseconds. */
    static final long LEAST_KEYS = 1_000_000;

    static final long LEAST_BYTES = 64 << 20;

    // One look at all keys, and one change of the largest value, are never too much.
    private final long maxKeys;
    private final long maxBytes;
    private long keys;
    private long bytes;

    Work(Limits limits) {
        this.maxKeys = Math.max(LEAST_KEYS, limits.of(StoreLimit.KEYS));
        this.maxBytes = Math.max(LEAST_BYTES, limits.of(StoreLimit.VALUE_BYTES));
    }

    /** Begins a step. */
    void begin() {
        keys = 0;
        bytes = 0;
    }

    /** Counts keys, or things as small, that the step looks at. */
    void visit(int more) {
        keys += more;
        if (keys > maxKeys) {
            throw new StoreRequestException(
                    "a request looks at more than %d keys, during which all others wait: request less at once"
                            .formatted(maxKeys));
        }
    }

    /** Counts bytes that the step copies from one place of the store to another. */
    void copy(long more) {
        bytes += more;
        if (bytes > maxBytes) {
            throw new StoreRequestException(
                    "a request copies more than %d bytes within the store, during which all others wait: request less at once"
                            .formatted(maxBytes));
        }
    }
}
