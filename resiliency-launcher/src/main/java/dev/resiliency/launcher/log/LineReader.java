package dev.resiliency.launcher.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

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
    }

    /** Reads to the end of the stream. */
    static void read(InputStream in, Sink sink) throws IOException, InterruptedException {
        byte[] chunk = new byte[CHUNK];
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
            int from = 0;
            for (int at = 0; at < length; at++) {
                if (chunk[at] == '\n' || line.size() + at + 1 - from >= LONGEST_LINE) {
                    line.write(chunk, from, at + 1 - from);
                    from = at + 1;
                    sink.accept(line.toByteArray());
                    line.reset();
                }
            }
            line.write(chunk, from, length - from);
        }
        if (line.size() > 0) {
            sink.accept(line.toByteArray());
        }
    }
}
