package dev.resiliency.store.internal;

import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.spi.StoreLimit;

/** Counts the bytes that a keyspace holds, and enforces their limit. Whoever takes bytes must give back as many. */
final class Usage {
    private final Limits limits;
    private long bytes;

    Usage(Limits limits) {
        this.limits = limits;
    }

    /** Takes bytes for the thing of this name; gives them back if the number is negative. */
    void take(long more, String name) {
        if (more > 0 && bytes + more > limits.of(StoreLimit.TOTAL_BYTES)) {
            throw new StoreRequestException("%s: %d bytes more go over %s: %d are in use"
                    .formatted(Limits.shown(name), more, limits.describe(StoreLimit.TOTAL_BYTES), bytes));
        }
        bytes += more;
    }

    /** Takes bytes that were just given back. */
    void keep(long bytes) {
        this.bytes += bytes;
    }

    void giveBack(long bytes) {
        this.bytes -= bytes;
    }

    long bytes() {
        return bytes;
    }
}
