package dev.resiliency.store.tcp.internal.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.internal.Nanos;
import dev.resiliency.store.spi.StoreLimit;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the elements of frames, which {@link WireReader} reads.
 *
 * <pre>
 * text, value  length varint, bytes (UTF-8)
 * list         count varint, elements
 * duration     i64 nanoseconds
 * index set    count of runs varint, then for each run: gap since the end of the previous run varint, length - 1 varint
 * </pre>
 */
public final class WireWriter {
    private final WireLimits limits;
    private ByteBuf out;
    private @Nullable LargeFrame large; // what precedes out; null before the first large value
    private WatchIds.@Nullable Writer watches;
    private int listEntries;

    WireWriter(ByteBuf out, WireLimits limits) {
        this.out = out;
        this.limits = limits;
    }

    /** Returns this writer with the ability to write watches. */
    public WireWriter with(WatchIds.Writer watches) {
        this.watches = watches;
        return this;
    }

    /** Returns all that was written. It is on the heap if it is large, as it may have to wait. */
    ByteBuf end() {
        checkSize(0);
        if (large == null) {
            return out.readableBytes() > LargeFrame.LARGE_BYTES ? LargeFrame.onHeap(out) : out;
        }
        return large.append(out);
    }

    /** Releases all that was written. */
    void release() {
        out.release();
        if (large != null) {
            large.release();
        }
    }

    /** Writes the beginning of a frame, whose length is set at its end. */
    WireWriter header(int type, long id) {
        out.writeInt(0).writeByte(type).writeLong(id);
        return this;
    }

    WatchIds.Writer watches() {
        return Objects.requireNonNull(watches);
    }

    public WireWriter byteOf(int value) {
        out.writeByte(value);
        return this;
    }

    public WireWriter shortOf(int value) {
        out.writeShort(value);
        return this;
    }

    WireWriter flag(boolean value) {
        return byteOf(value ? 1 : 0);
    }

    public WireWriter number(long value) {
        out.writeLong(value);
        return this;
    }

    public WireWriter duration(Duration duration) {
        return number(Nanos.of(duration));
    }

    public WireWriter varint(int value) {
        int rest = value;
        while (rest >>> 7 != 0) {
            out.writeByte((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.writeByte(rest);
        return this;
    }

    public WireWriter text(String text) {
        return bytes(text.getBytes(UTF_8));
    }

    public WireWriter value(Value value) {
        return LargeFrame.isLarge(value) ? refer(value) : bytes(value.bytes());
    }

    /** Writes a reference to a large value: however many are sent it, its bytes are in memory once. */
    private WireWriter refer(Value value) {
        checkSize(value.size());
        varint(value.size());
        ByteBuf before = out;
        out = Unpooled.buffer();
        large = large == null ? new LargeFrame() : large;
        large.append(before).append(value);
        return this;
    }

    private WireWriter bytes(byte[] bytes) {
        checkSize(bytes.length); // before the buffer grows: everything large passes through here
        varint(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    /** Rejects what is too large for a frame. */
    void checkSize(int more) {
        long before = large == null ? 0 : large.readableBytes();
        long bytes = before + out.writerIndex() + more;
        if (bytes > limits.frameBytes()) {
            throw new StoreRequestException(
                    "a request or answer of over %d bytes; the limit is %d (%s): request less at once"
                            .formatted(bytes, limits.frameBytes(), StoreLimit.FRAME_BYTES));
        }
    }

    <T> WireWriter list(Collection<T> elements, Consumer<? super T> write) {
        listEntries += elements.size();
        if (listEntries > limits.listEntries()) {
            throw new StoreRequestException("an answer with lists of %d entries is over the limit of %d (%s)"
                    .formatted(listEntries, limits.listEntries(), StoreLimit.LIST_ENTRIES));
        }
        varint(elements.size());
        elements.forEach(write);
        return this;
    }

    WireWriter indexSet(IndexSet set) {
        Limits.check(set);
        varint(set.runs());
        int end = 0;
        for (int run = 0; run < set.runs(); run++) {
            varint(set.first(run) - end);
            end = set.end(run);
            varint(end - set.first(run) - 1);
        }
        return this;
    }
}
