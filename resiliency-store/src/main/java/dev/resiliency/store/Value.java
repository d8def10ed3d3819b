package dev.resiliency.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * The immutable bytes that a store keeps under a key.
 *
 * @since 0.1.0
 */
public final class Value {
    private static final Value EMPTY = new Value(new byte[0]);
    private static final int SHOWN_CHARACTERS = 64;

    private final byte[] bytes;

    private Value(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The value of no bytes. */
    public static Value empty() {
        return EMPTY;
    }

    /** A value with a copy of the given bytes. */
    public static Value of(byte[] bytes) {
        return new Value(bytes.clone());
    }

    /**
     * A value with a copy of the bytes from {@code from} up to, but without, {@code to}.
     *
     * @throws IndexOutOfBoundsException if there are not so many
     */
    public static Value of(byte[] bytes, int from, int to) {
        Objects.checkFromToIndex(from, to, bytes.length);
        return from == to ? EMPTY : new Value(Arrays.copyOfRange(bytes, from, to));
    }

    /** The text in UTF-8. */
    public static Value of(String text) {
        return new Value(text.getBytes(UTF_8));
    }

    /** The number as ASCII decimal, as {@link Store#add} keeps counters. */
    public static Value of(long number) {
        return of(Long.toString(number));
    }

    /** How many bytes there are. */
    public int size() {
        return bytes.length;
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The bytes read as UTF-8. */
    public String text() {
        return new String(bytes, UTF_8);
    }

    /**
     * The bytes read as ASCII decimal.
     *
     * @throws NumberFormatException if they are not a number
     */
    public long number() {
        return Long.parseLong(text());
    }

    /** This value with the bytes of {@code more} behind its own. */
    public Value append(Value more) {
        byte[] joined = Arrays.copyOf(bytes, bytes.length + more.bytes.length);
        System.arraycopy(more.bytes, 0, joined, bytes.length, more.bytes.length);
        return new Value(joined);
    }

    /** Four of the bytes as a number. */
    public int intAt(int position) {
        return ByteBuffer.wrap(bytes).getInt(position);
    }

    public Value slice(int from, int to) {
        return of(bytes, from, to);
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

    /** The text, cut off after 64 characters. */
    @Override
    public String toString() {
        String text = text();
        return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "…";
    }
}
