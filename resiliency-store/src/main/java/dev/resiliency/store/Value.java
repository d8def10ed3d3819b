package dev.resiliency.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.spi.guard.Printable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * An immutable sequence of bytes that a store keeps under a key.
 *
 * @since 0.1.0
 */
public final class Value {
    private static final Value EMPTY = new Value(new byte[0]);
    private static final int SHOWN_CHARACTERS = 64;
    private static final int MAX_BYTES_PER_CHARACTER = 4;

    private final byte[] bytes;

    private Value(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the empty value. */
    public static Value empty() {
        return EMPTY;
    }

    /** Returns a value with a copy of the given bytes. */
    public static Value of(byte[] bytes) {
        return new Value(bytes.clone());
    }

    /**
     * Returns a value with a copy of the bytes from {@code from} (inclusive) to {@code to} (exclusive).
     *
     * @throws IndexOutOfBoundsException if the array is too short
     */
    public static Value of(byte[] bytes, int from, int to) {
        Objects.checkFromToIndex(from, to, bytes.length);
        return from == to ? EMPTY : new Value(Arrays.copyOfRange(bytes, from, to));
    }

    /** Returns the text in UTF-8. */
    public static Value of(String text) {
        return new Value(text.getBytes(UTF_8));
    }

    /** Returns the number as ASCII decimal, the format in which {@link Store#add} keeps counters. */
    public static Value of(long number) {
        return of(Long.toString(number));
    }

    /** Returns the number of bytes. */
    public int size() {
        return bytes.length;
    }

    /** Returns a copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns the bytes decoded as UTF-8. */
    public String text() {
        return new String(bytes, UTF_8);
    }

    /**
     * Returns the bytes parsed as ASCII decimal.
     *
     * @throws NumberFormatException if they are not a number
     */
    public long number() {
        return Long.parseLong(text());
    }

    /** Returns this value followed by {@code more}. */
    public Value append(Value more) {
        byte[] joined = Arrays.copyOf(bytes, bytes.length + more.bytes.length);
        System.arraycopy(more.bytes, 0, joined, bytes.length, more.bytes.length);
        return new Value(joined);
    }

    /** Returns the four bytes at {@code position} as a big-endian number. */
    public int intAt(int position) {
        return ByteBuffer.wrap(bytes).getInt(position);
    }

    public Value slice(int from, int to) {
        return of(bytes, from, to);
    }

    /** Returns a view of the bytes, which does not copy them. */
    public ByteBuffer asReadOnlyBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    public void writeTo(ByteBuffer out) {
        out.put(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Value that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /**
     * Returns a text as one line for logs and terminals: control characters, such as line breaks and escape codes, are
     * escaped, as in {@code \\n} and {@code \\u001b}.
     *
     * @param length the number of characters after which the text is cut off
     */
    public static String printable(String text, int length) {
        return Printable.of(text, length);
    }

    /** Returns the text as {@link #printable} does, cut off after 64 characters. */
    @Override
    public String toString() {
        // Without decoding the rest, which may be large. A character that this cuts is behind those shown.
        int decoded = Math.min(bytes.length, MAX_BYTES_PER_CHARACTER * SHOWN_CHARACTERS + MAX_BYTES_PER_CHARACTER);
        return Printable.of(new String(bytes, 0, decoded, UTF_8), SHOWN_CHARACTERS);
    }
}
