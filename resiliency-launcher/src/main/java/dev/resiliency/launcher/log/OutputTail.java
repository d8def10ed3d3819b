package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The last lines that one process has written, to both of its streams: at most 200, and 64 KiB. Written by the threads that read its
 * streams, read by any. All fields belong to its monitor.
 */
public final class OutputTail {
    static final int MOST_LINES = 200;
    static final int MOST_BYTES = 64 << 10;
    private static final int STREAMS = 2;

    private final Deque<byte[]> lines = new ArrayDeque<>();
    private final CountDownLatch openStreams = new CountDownLatch(STREAMS);
    private int bytes;

    OutputTail() {}

    synchronized void add(byte[] line) {
        lines.addLast(line);
        bytes += line.length;
        while (lines.size() > MOST_LINES || bytes > MOST_BYTES) {
            bytes -= lines.removeFirst().length;
        }
    }

    /** One of the two streams has ended. */
    void ended() {
        openStreams.countDown();
    }

    boolean hasEnded() {
        return openStreams.getCount() == 0;
    }

    /** Returns the lines, oldest first, without their ends. */
    public synchronized List<String> lines() {
        return lines.stream()
                .map(line -> new String(line, UTF_8).stripTrailing())
                .toList();
    }

    /**
     * Waits until both streams have ended, so that the last words are there: the end of a process may be known before them.
     *
     * @return whether they have within this time
     */
    public boolean awaitEnd(Duration limit) throws InterruptedException {
        return openStreams.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }
}
