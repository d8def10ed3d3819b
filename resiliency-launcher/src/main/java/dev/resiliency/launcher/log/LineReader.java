package dev.resiliency.launcher.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads a stream line by line. Confined to one thread. */
final class LineReader {
    /** A longer line is read in parts. */
    static final int LONGEST_LINE = 64 << 10;

    private static final int CHUNK = 16 << 10;

    private LineReader() {}

    /** Receives a line. */
    @FunctionalInterface
    interface Sink {
        /**
         * Receives a line.
         *
         * @param line with its end, unless the stream has ended within it, or it is a part of a line that is too long
         */
        void accept(byte[] line) throws InterruptedException;

        /** All lines that were there together have been given: the next one may come much later. */
        default void pause() throws InterruptedException {}
    }

    /** Reads to the end of the stream. */
    static void read(InputStream in, Sink sink) throws IOException, InterruptedException {
        byte[] chunk = new byte[CHUNK];
        ByteArrayOutputStream begun = new ByteArrayOutputStream();
        for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
            int from = 0;
            for (int at = 0; at < length; at++) {
                if (chunk[at] == '\n' || begun.size() + at + 1 - from >= LONGEST_LINE) {
                    sink.accept(line(begun, chunk, from, at + 1));
                    from = at + 1;
                }
            }
            begun.write(chunk, from, length - from);
            sink.pause();
        }
        if (begun.size() > 0) {
            sink.accept(begun.toByteArray());
            sink.pause();
        }
    }

    private static byte[] line(ByteArrayOutputStream begun, byte[] chunk, int from, int to) {
        if (begun.size() == 0) {
            return Arrays.copyOfRange(chunk, from, to);
        }
        begun.write(chunk, from, to - from);
        byte[] line = begun.toByteArray();
        begun.reset();
        return line;
    }
}
