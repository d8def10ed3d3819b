package dev.resiliency.store.tcp.internal.wire;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a large frame, or of a large field, while they arrive: they are gathered in their final place on the
 * heap, and need room there. The event loop owns it.
 */
public final class LargeArrival {
    private final @Nullable Incoming incoming; // null: there is always room
    private Incoming.@Nullable Claim claim;
    private byte @Nullable [] bytes;
    private int filled;

    LargeArrival(@Nullable Incoming incoming) {
        this.incoming = incoming;
    }

    /** Returns whether this is the time to gather: enough of them have arrived, and not all. */
    public static boolean isOf(int length, int available) {
        return available > LargeFrame.LARGE_BYTES && available < length;
    }

    /** Returns whether bytes are being gathered. */
    public boolean isUnderway() {
        return bytes != null;
    }

    /** Begins to gather this many bytes, if there is room; if not, runs the task once there is. */
    boolean begin(int length, Runnable whenRoom) {
        if (incoming != null) {
            claim = claim == null ? incoming.claim(length, whenRoom) : claim;
            if (!claim.isGranted()) {
                return false;
            }
        }
        bytes = new byte[length];
        filled = 0;
        return true;
    }

    /** Gathers what has arrived, except for the end; returns whether that has arrived as well. */
    public boolean gather(ByteBuf in) {
        byte[] gathered = gathered();
        int missing = gathered.length - filled;
        if (in.readableBytes() >= missing) {
            return true;
        }
        int arrived = in.readableBytes();
        in.readBytes(gathered, filled, arrived);
        filled += arrived;
        return false;
    }

    /** Gathers the end, and returns all. */
    public byte[] end(ByteBuf in) {
        byte[] all = gathered();
        in.readBytes(all, filled, all.length - filled);
        release();
        return all;
    }

    private byte[] gathered() {
        if (bytes == null) {
            throw new IllegalStateException("nothing arrives");
        }
        return bytes;
    }

    /** Gives back the room. */
    void release() {
        bytes = null;
        Incoming.Claim ended = claim;
        claim = null;
        if (incoming != null && ended != null) {
            incoming.giveBack(ended);
        }
    }
}
