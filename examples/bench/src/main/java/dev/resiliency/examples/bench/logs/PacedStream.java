package dev.resiliency.examples.bench.logs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.time.Duration;

/** What a simulated rank writes: so many numbered lines in a second, until its end. Confined to the thread that reads it. */
final class PacedStream extends InputStream {
    private static final Duration STEP = Duration.ofMillis(20);
    private static final String PADDING = "x".repeat(80);

    private final long begin;
    private final int rate;
    private final long lines;
    private long written;
    private byte[] due = new byte[0];
    private int position;

    /**
     * Creates a stream.
     *
     * @param begin of the first line, on the clock of {@link System#nanoTime}
     * @param rate of lines in a second
     */
    PacedStream(long begin, int rate, Duration length) {
        this.begin = begin;
        this.rate = rate;
        lines = rate * length.toMillis() / 1000;
    }

    @Override
    public int read() {
        throw new UnsupportedOperationException("read many bytes at once");
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        while (position == due.length) {
            if (written == lines) {
                return -1;
            }
            try {
                Thread.sleep(STEP.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return -1;
            }
            makeDue();
        }
        int count = Math.min(length, due.length - position);
        System.arraycopy(due, position, target, offset, count);
        position += count;
        return count;
    }

    private void makeDue() {
        long until = Math.min(lines, (System.nanoTime() - begin) / 1000 * rate / 1_000_000);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (; written < until; written++) {
            text.writeBytes(("line " + (written + 1) + " " + PADDING + "\n").getBytes(US_ASCII));
        }
        due = text.toByteArray();
        position = 0;
    }
}
