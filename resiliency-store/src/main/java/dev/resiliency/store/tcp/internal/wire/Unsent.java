package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import io.netty.buffer.ByteBuf;
import java.util.IdentityHashMap;

/**
 * Counts the bytes that a server keeps in memory because they are still to be sent, a value once for all who are sent
 * it. The event loop owns it.
 */
public final class Unsent {
    /** The part of the heap that may be unsent. */
    private static final int PART_OF_HEAP = 8;

    private final long maxBytes;
    private final IdentityHashMap<Value, Integer> frames = new IdentityHashMap<>(); // how many refer to the value
    private long bytes;

    /** Creates a count for this heap; at least one frame of the largest size may be unsent. */
    public Unsent(long heap, long largestFrame) {
        this.maxBytes = Math.max(heap / PART_OF_HEAP, largestFrame);
    }

    /**
     * Checks that there is room for a frame; for a small one there always is.
     *
     * @throws StoreRequestException if not
     */
    public void check(ByteBuf frame) {
        if (frame.readableBytes() <= LargeFrame.LARGE_BYTES) {
            return;
        }
        long more = own(frame);
        if (frame instanceof LargeFrame large) {
            for (Value value : large.values()) {
                more += frames.containsKey(value) ? 0 : value.size();
            }
        }
        if (bytes + more > maxBytes) {
            throw new StoreRequestException(
                    "an answer of %d bytes must wait: the store still has %d to send to its clients, and room for %d; try again"
                            .formatted(frame.readableBytes(), bytes, maxBytes));
        }
    }

    void add(ByteBuf frame) {
        bytes += own(frame);
        if (frame instanceof LargeFrame large) {
            large.values().forEach(value -> {
                if (frames.merge(value, 1, Integer::sum) == 1) {
                    bytes += value.size();
                }
            });
        }
    }

    void remove(ByteBuf frame) {
        bytes -= own(frame);
        if (frame instanceof LargeFrame large) {
            large.values().forEach(value -> {
                if (frames.merge(value, -1, (count, less) -> count + less == 0 ? null : count + less) == null) {
                    bytes -= value.size();
                }
            });
        }
    }

    private static long own(ByteBuf frame) {
        return frame instanceof LargeFrame large ? large.ownBytes() : frame.capacity(); // however much was read
    }

    boolean isFull() {
        return bytes > maxBytes;
    }

    /** Returns how many bytes are unsent. */
    public long bytes() {
        return bytes;
    }
}
