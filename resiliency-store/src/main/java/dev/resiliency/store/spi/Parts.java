package dev.resiliency.store.spi;

import dev.resiliency.store.Value;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A value with a part for each of many participants: the publisher writes one key, and with {@link Operation.GetPart}
 * each of the others reads only its own part. MPI calls this a scatter.
 *
 * <pre>
 * count i32, for each part its end i32, counted from the first part's start; the parts. Big-endian
 * </pre>
 *
 * @since 0.1.0
 */
public final class Parts {
    private static final int COUNT_BYTES = Integer.BYTES;
    private static final int END_BYTES = Integer.BYTES;

    private Parts() {}

    /**
     * Returns a value of these parts. An empty value stands for no part.
     *
     * @throws IllegalArgumentException if together they exceed 2 GiB
     */
    public static Value of(List<Value> parts) {
        long bytes = COUNT_BYTES
                + (long) END_BYTES * parts.size()
                + parts.stream().mapToLong(Value::size).sum();
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a value of %d parts would have %d bytes, over 2 GiB".formatted(parts.size(), bytes));
        }
        ByteBuffer value = ByteBuffer.allocate((int) bytes).putInt(parts.size());
        int end = 0;
        for (Value part : parts) {
            end += part.size();
            value.putInt(end);
        }
        for (Value part : parts) {
            part.writeTo(value);
        }
        return Value.of(value.array());
    }

    /**
     * Returns one part, counted from 0; the empty value if there is no such part.
     *
     * @throws IllegalArgumentException if the value was not made by {@link #of}, or {@code part} is negative
     */
    public static Value get(Value value, int part) {
        if (part < 0) {
            throw new IllegalArgumentException("there is no part " + part);
        }
        int count = value.size() < COUNT_BYTES ? -1 : value.intAt(0);
        if (count < 0 || count > (value.size() - COUNT_BYTES) / END_BYTES) {
            throw new IllegalArgumentException("a value of " + value.size() + " bytes has no parts");
        }
        if (part >= count) {
            return Value.empty();
        }
        int first = startOf(count);
        int start = part == 0 ? 0 : endOf(value, part - 1);
        int end = endOf(value, part);
        if (start < 0 || end < start || end > value.size() - first) {
            throw new IllegalArgumentException("part %d of a value of %d bytes goes from %d to %d behind the first %d"
                    .formatted(part, value.size(), start, end, first));
        }
        return value.slice(first + start, first + end);
    }

    private static int startOf(int count) {
        return COUNT_BYTES + count * END_BYTES;
    }

    private static int endOf(Value value, int part) {
        return value.intAt(COUNT_BYTES + part * END_BYTES);
    }
}
