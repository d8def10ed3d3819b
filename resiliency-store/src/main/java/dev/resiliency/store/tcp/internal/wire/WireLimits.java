package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.StoreLimit;

/**
 * The limits of a frame's size and of the entries of its lists.
 *
 * @param frameBytes the bytes of a frame without its length
 * @param listEntries the entries of all lists in it together
 */
public record WireLimits(int frameBytes, int listEntries) {
    /** The limits until the handshake is over. */
    public static final WireLimits HANDSHAKE = new WireLimits(Frames.MAX_HANDSHAKE_BYTES, Integer.MAX_VALUE);

    public static final WireLimits DEFAULTS = of(Limits.defaults());

    /** Returns the limits of a server. */
    public static WireLimits of(Limits limits) {
        return new WireLimits(clamp(limits.of(StoreLimit.FRAME_BYTES)), clamp(limits.of(StoreLimit.LIST_ENTRIES)));
    }

    /**
     * Returns the limits of a client whose server accepts frames of this size; the server counts the entries itself.
     */
    public static WireLimits ofClient(int frameBytes) {
        return new WireLimits(frameBytes, Integer.MAX_VALUE);
    }

    private static int clamp(long limit) {
        return (int) Math.min(limit, Integer.MAX_VALUE - Frames.LENGTH_BYTES);
    }
}
