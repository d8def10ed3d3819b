package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.spi.StoreLimit;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link WireWriter} wrote. Whatever the bytes are, the result is a value or a {@link ProtocolException}, or
 * a {@link StoreRequestException} for a limit, and takes little more memory than the frame.
 */
public final class WireReader {
    /** The limit of the ranges of all index sets in one frame, as a few bytes can name many members. */
    private static final int MAX_REACH = 1 << 26;

    // A last will may contain an arrival, whose barrier may contain operations; no one needs more levels than this.
    private static final int MAX_DEPTH = 8;

    private static final VarHandle NUMBERS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int MAX_VARINT_SHIFT = 28;
    private static final int RUN_BYTES = 2; // the least bytes of an index set

    private final byte[] in;
    private final int end;
    private final WireLimits limits;
    private final WatchIds.@Nullable Reader watches;
    private final @Nullable TextCache texts;
    private int position;
    private int setReach;
    private int listEntries;
    private int depth;

    /** Creates a reader of a server's frame. */
    public WireReader(ByteBuf in) {
        this(in, WireLimits.ofClient(Integer.MAX_VALUE), null);
    }

    /** Creates a reader that can read watches. */
    public WireReader(ByteBuf in, WireLimits limits, WatchIds.@Nullable Reader watches) {
        this(in, limits, watches, null);
    }

    /** Creates a reader that returns the same string for equal texts, where it can. */
    public WireReader(ByteBuf in, WireLimits limits, WatchIds.@Nullable Reader watches, @Nullable TextCache texts) {
        // An array, as reading a buffer byte by byte is slower.
        this.in = in.hasArray() ? in.array() : ByteBufUtil.getBytes(in);
        this.position = in.hasArray() ? in.arrayOffset() + in.readerIndex() : 0;
        this.end = position + in.readableBytes();
        this.limits = limits;
        this.watches = watches;
        this.texts = texts;
    }

    WatchIds.Reader watches() {
        return Objects.requireNonNull(watches);
    }

    /** Reads something one level deeper. */
    <T> T nested(Function<WireReader, T> read) {
        if (depth == MAX_DEPTH) {
            throw new ProtocolException("operations are nested more than %d levels deep".formatted(MAX_DEPTH));
        }
        depth++;
        T result = read.apply(this);
        depth--;
        return result;
    }

    private void need(int bytes) {
        if (remaining() < bytes) {
            throw new ProtocolException(
                    "a frame ends too early: %d more bytes expected, %d left".formatted(bytes, remaining()));
        }
    }

    /** Skips this many bytes; returns where they begin. */
    private int skip(int bytes) {
        need(bytes);
        int start = position;
        position += bytes;
        return start;
    }

    /** Returns the number of remaining bytes. */
    public int remaining() {
        return end - position;
    }

    /** Checks that no bytes remain. */
    public void end() {
        if (remaining() > 0) {
            throw new ProtocolException("a frame has %d bytes too many".formatted(remaining()));
        }
    }

    public int byteOf() {
        return Byte.toUnsignedInt(in[skip(Byte.BYTES)]);
    }

    public int shortOf() {
        return byteOf() << Byte.SIZE | byteOf();
    }

    boolean flag() {
        int value = byteOf();
        if (value > 1) {
            throw new ProtocolException("%d instead of 0 or 1".formatted(value));
        }
        return value == 1;
    }

    public long number() {
        return (long) NUMBERS.get(in, skip(Long.BYTES));
    }

    public Duration duration() {
        return Duration.ofNanos(number());
    }

    public int varint() {
        int value = 0;
        for (int shift = 0; shift <= MAX_VARINT_SHIFT; shift += 7) {
            int next = byteOf();
            value |= (next & 0x7F) << shift;
            if (next < 0x80) {
                return nonNegative(value);
            }
        }
        throw new ProtocolException("a varint does not end");
    }

    private static int nonNegative(int value) {
        if (value < 0) {
            throw new ProtocolException("a varint is over 2^31");
        }
        return value;
    }

    public String text() {
        int length = varint();
        int start = skip(length);
        return texts == null ? Utf8.decode(in, start, length) : texts.text(in, start, length);
    }

    public Value value() {
        int length = varint();
        int start = skip(length);
        return Value.of(in, start, start + length);
    }

    @SuppressWarnings("unchecked") // all come from read
    <T> List<T> list(Function<WireReader, ? extends T> read) {
        Object[] entries = new Object[listSize()];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = read.apply(this);
        }
        return (List<T>) List.of(entries);
    }

    /** Reads the number of entries of a list. */
    int listSize() {
        int count = count(1);
        listEntries += count;
        if (listEntries > limits.listEntries()) {
            throw new StoreRequestException("a request with lists of %d entries is over the limit of %d (%s)"
                    .formatted(listEntries, limits.listEntries(), StoreLimit.LIST_ENTRIES));
        }
        return count;
    }

    /** Returns the number of entries of all lists so far. */
    public int listEntries() {
        return listEntries;
    }

    IndexSet indexSet() {
        int[] bounds = new int[2 * count(RUN_BYTES)];
        int end = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            long start = (long) end + varint();
            long next = start + varint() + 1;
            if (next > Limits.MEMBERS) {
                throw new ProtocolException("an index set has the member %d".formatted(next - 1));
            }
            end = (int) next;
            bounds[i] = (int) start;
            bounds[i + 1] = end;
        }
        setReach += end;
        if (setReach > MAX_REACH) {
            throw new ProtocolException("the index sets of a frame are too large");
        }
        return IndexSet.ofRuns(bounds);
    }

    /**
     * Reads the number of elements of at least this many bytes each; rejects more than can fit into the remaining
     * bytes.
     */
    private int count(int bytes) {
        int count = varint();
        need((int) Math.min((long) count * bytes, Integer.MAX_VALUE));
        return count;
    }
}
