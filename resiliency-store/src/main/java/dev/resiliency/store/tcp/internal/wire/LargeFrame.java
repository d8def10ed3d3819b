package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.Value;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * A frame with large values. It refers to their bytes, which all frames with the same value share, and has the rest on
 * the heap. The event loop owns it.
 */
public final class LargeFrame extends CompositeByteBuf {
    /** What has more bytes than this is large. */
    static final int LARGE_BYTES = 16 << 10;

    private final List<Value> values = new ArrayList<>(1);
    private int ownBytes;

    LargeFrame() {
        super(UnpooledByteBufAllocator.DEFAULT, false, Integer.MAX_VALUE); // never copies its parts into one
    }

    /** Returns a frame that consists of these bytes and a value. */
    public static ByteBuf of(ByteBuf head, Value value) {
        return new LargeFrame().append(head).append(value);
    }

    /** Returns whether frames refer to the value instead of holding a copy. */
    public static boolean isLarge(Value value) {
        return value.size() > LARGE_BYTES;
    }

    /** Appends the bytes, and releases them. */
    LargeFrame append(ByteBuf bytes) {
        ownBytes += bytes.readableBytes();
        addComponent(true, onHeap(bytes));
        return this;
    }

    LargeFrame append(Value value) {
        values.add(value);
        addComponent(true, Unpooled.wrappedBuffer(value.asReadOnlyBuffer()));
        return this;
    }

    /** Returns the whole frame once more, whatever part of this one has been read. */
    LargeFrame again() {
        LargeFrame again = new LargeFrame();
        again.addComponent(true, retainedSlice(0, writerIndex()));
        again.values.addAll(values);
        again.ownBytes = ownBytes;
        return again;
    }

    /** Returns the values to which it refers. */
    List<Value> values() {
        return values;
    }

    /** Returns the number of bytes besides the values. */
    int ownBytes() {
        return ownBytes;
    }

    /** Returns the same bytes on the heap; releases those that are not. */
    static ByteBuf onHeap(ByteBuf bytes) {
        if (!bytes.isDirect()) {
            return bytes;
        }
        ByteBuf copy = Unpooled.buffer(bytes.readableBytes()).writeBytes(bytes);
        bytes.release();
        return copy;
    }
}
