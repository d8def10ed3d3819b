package dev.resiliency.store.tcp.internal.wire;

import java.util.Arrays;

/**
 * Caches recently read texts, so that the same bytes yield the same string. The ranks of a job use the same keys at the
 * same time: with one string for each, thousands of waiting requests take less memory, and its cached hash speeds up
 * look-ups. The event loop of a server owns it.
 *
 * <p>Texts with the same hash share one slot, in which the latest replaces the one before.
 */
public final class TextCache {
    private static final int PLACES = 1 << 9;
    private static final int LONGEST = 64; // most keys are shorter, and longer ones are not worth their slot

    private final byte[][] bytes = new byte[PLACES][0];
    private final String[] texts = new String[PLACES];

    public TextCache() {
        Arrays.fill(texts, "");
    }

    /** Returns the text of these bytes. */
    String text(byte[] in, int start, int length) {
        if (length > LONGEST) {
            return Utf8.decode(in, start, length);
        }
        int end = start + length;
        int place = placeOf(in, start, end);
        if (!Arrays.equals(bytes[place], 0, bytes[place].length, in, start, end)) {
            texts[place] = Utf8.decode(in, start, length);
            bytes[place] = Arrays.copyOfRange(in, start, end);
        }
        return texts[place];
    }

    private static int placeOf(byte[] in, int start, int end) {
        int hash = end - start;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + in[i];
        }
        return (hash ^ hash >>> 16) & (PLACES - 1);
    }
}
