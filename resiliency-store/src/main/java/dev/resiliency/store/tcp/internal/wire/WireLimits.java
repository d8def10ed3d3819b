package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.Store;
import dev.resiliency.store.internal.Limits;

/**
 * How large a frame may be, and how many entries its lists may have.
 *
 * @param frameBytes without its length
 * @param listEntries of all lists in it together
 */
public record WireLimits(int frameBytes, int listEntries) {
    /** Until client and server have agreed to talk. */
    public static final WireLimits HANDSHAKE = new WireLimits(Frames.MAX_HANDSHAKE_BYTES, Integer.MAX_VALUE);

    public static final WireLimits DEFAULTS = of(Limits.defaults());

    /** Those of a server. */
    public static WireLimits of(Limits limits) {
        return new WireLimits(clamp(limits.of(Store.Limit.FRAME_BYTES)), clamp(limits.of(Store.Limit.LIST_ENTRIES)));
    }

    /** Those of a client whose server takes frames of so many bytes; the server counts the entries itself. */
    public static WireLimits ofClient(int frameBytes) {
        return new WireLimits(frameBytes, Integer.MAX_VALUE);
    }

    private static int clamp(long limit) {
        return (int) Math.min(limit, Integer.MAX_VALUE - Frames.LENGTH_BYTES);
    }
}
