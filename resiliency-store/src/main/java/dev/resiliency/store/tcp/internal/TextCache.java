package dev.resiliency.store.tcp.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The texts that were read last, so that the same bytes give the same string. The ranks of a job name the same keys, all
 * at the same time: with one string of each, thousands of requests that wait take less memory, and a look-up need not
 * count its characters again. The event loop of a server owns it.
 *
 * <p>It has one place for all texts of the same hash, and what is read there replaces what was there.
 */
final class TextCache {
    private static final int PLACES = 1 << 9;
    private static final int LONGEST = 64; // most keys are shorter, and what is longer is worth less than its place

    private final byte[] read = new byte[LONGEST];
    private final byte[][] bytes = new byte[PLACES][0];
    private final String[] texts = new String[PLACES];

    TextCache() {
        Arrays.fill(texts, "");
    }

    /** Reads a text of so many bytes. */
    String text(ByteBuf in, int length) {
        if (length > LONGEST) {
            byte[] all = new byte[length];
            in.readBytes(all);
            return new String(all, UTF_8);
        }
        in.readBytes(read, 0, length);
        int place = placeOf(length);
        if (!Arrays.equals(bytes[place], 0, bytes[place].length, read, 0, length)) {
            bytes[place] = Arrays.copyOf(read, length);
            texts[place] = new String(read, 0, length, UTF_8);
        }
        return texts[place];
    }

    private int placeOf(int length) {
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + read[i];
        }
        return (hash ^ hash >>> 16) & (PLACES - 1);
    }
}
