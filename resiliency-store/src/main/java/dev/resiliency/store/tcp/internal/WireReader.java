package dev.resiliency.store.tcp.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreLimit;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.Limits;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link WireWriter} wrote. Whatever the bytes are, the result is a value or a {@link ProtocolException}, or
 * a {@link StoreRequestException} for a limit, and takes little more memory than the frame.
 */
final class WireReader {
    /** How many members the index sets of one frame may reach over: few bytes can name many. */
    private static final int MAX_REACH = 1 << 26;

    // A last will may hold an arrival, whose barrier may hold operations; nobody needs more levels than this.
    private static final int MAX_DEPTH = 8;

    private static final int MAX_VARINT_SHIFT = 28;
    private static final int RUN_BYTES = 2; // of an index set, at least

    private final ByteBuf in;
    private final WireLimits limits;
    private final WatchIds.@Nullable Reader watches;
    private final @Nullable TextCache texts;
    private int setReach;
    private int listEntries;
    private int depth;

    /** A reader of what a server says. */
    WireReader(ByteBuf in) {
        this(in, WireLimits.ofClient(Integer.MAX_VALUE), null);
    }

    /** A reader that is able to read watches. */
    WireReader(ByteBuf in, WireLimits limits, WatchIds.@Nullable Reader watches) {
        this(in, limits, watches, null);
    }

    /** A reader that makes one string of equal texts, where it can. */
    WireReader(ByteBuf in, WireLimits limits, WatchIds.@Nullable Reader watches, @Nullable TextCache texts) {
        this.in = in;
        this.limits = limits;
        this.watches = watches;
        this.texts = texts;
    }

    WatchIds.Reader watches() {
        return Objects.requireNonNull(watches);
    }

    /** Reads what lies one level deeper. */
    <T> T nested(Supplier<T> read) {
        if (depth == MAX_DEPTH) {
            throw new ProtocolException("operations are nested more than %d levels deep".formatted(MAX_DEPTH));
        }
        depth++;
        T result = read.get();
        depth--;
        return result;
    }

    private ByteBuf need(int bytes) {
        if (in.readableBytes() < bytes) {
            throw new ProtocolException(
                    "a frame ends where %d more bytes should be, %d are left".formatted(bytes, in.readableBytes()));
        }
        return in;
    }

    /** How many bytes follow. */
    int remaining() {
        return in.readableBytes();
    }

    /** Nothing may follow. */
    void end() {
        if (in.isReadable()) {
            throw new ProtocolException("a frame has %d bytes too many".formatted(in.readableBytes()));
        }
    }

    int byteOf() {
        return need(Byte.BYTES).readUnsignedByte();
    }

    int shortOf() {
        return need(Short.BYTES).readUnsignedShort();
    }

    boolean flag() {
        int value = byteOf();
        if (value > 1) {
            throw new ProtocolException("%d stands where 0 or 1 should".formatted(value));
        }
        return value == 1;
    }

    long number() {
        return need(Long.BYTES).readLong();
    }

    Duration duration() {
        return Duration.ofNanos(number());
    }

    int varint() {
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

    String text() {
        if (texts == null) {
            return new String(bytes(), UTF_8);
        }
        int length = varint();
        return texts.text(need(length), length);
    }

    Value value() {
        return Value.of(bytes());
    }

    private byte[] bytes() {
        int length = varint();
        need(length);
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    <T> List<T> list(Supplier<? extends T> read) {
        int count = count(1);
        listEntries += count;
        if (listEntries > limits.listEntries()) {
            throw new StoreRequestException("a request with lists of %d entries is over the limit of %d (%s)"
                    .formatted(listEntries, limits.listEntries(), StoreLimit.LIST_ENTRIES));
        }
        List<T> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(read.get());
        }
        return list;
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

    /** How many things follow that take at least so many bytes each: a claim beyond what is left is a lie. */
    private int count(int bytes) {
        int count = varint();
        need((int) Math.min((long) count * bytes, Integer.MAX_VALUE));
        return count;
    }
}
