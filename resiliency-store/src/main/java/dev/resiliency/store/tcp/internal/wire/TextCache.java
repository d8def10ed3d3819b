package dev.resiliency.store.tcp.internal.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * The texts that were read last, so that the same bytes give the same string. The ranks of a job name the same keys, all
 * at the same time: with one string of each, thousands of requests that wait take less memory, and a look-up need not
 * count its characters again. The event loop of a server owns it.
 *
 * <p>It has one place for all texts of the same hash, and what is read there replaces what was there.
 */
public final class TextCache {
    private static final int PLACES = 1 << 9;
    private static final int LONGEST = 64; // most keys are shorter, and what is longer is worth less than its place

    private final byte[][] bytes = new byte[PLACES][0];
    private final String[] texts = new String[PLACES];

    public TextCache() {
        Arrays.fill(texts, "");
    }

    /** The text that these bytes are. */
    String text(byte[] in, int start, int length) {
        if (length > LONGEST) {
            return new String(in, start, length, UTF_8);
        }
        int end = start + length;
        int place = placeOf(in, start, end);
        if (!Arrays.equals(bytes[place], 0, bytes[place].length, in, start, end)) {
            bytes[place] = Arrays.copyOfRange(in, start, end);
            texts[place] = new String(bytes[place], UTF_8);
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
