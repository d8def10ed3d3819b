package dev.resiliency.store.tcp.internal.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** Decodes texts strictly: two keys that differ on the wire never become the same. */
final class Utf8 {
    /** What Java's decoder puts in place of bytes that are no text; a text may also contain it. */
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    /**
     * Returns the text of these bytes.
     *
     * @throws ProtocolException if they are not UTF-8
     */
    static String decode(byte[] in, int start, int length) {
        String text = new String(in, start, length, UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) {
            byte[] again = text.getBytes(UTF_8);
            if (!Arrays.equals(again, 0, again.length, in, start, start + length)) {
                throw new ProtocolException("a text of %d bytes is not UTF-8".formatted(length));
            }
        }
        return text;
    }
}
