package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * The way of one stream's lines into a queue, in which lines that come together are put together. When the queue stays full for too
 * long, lines are dropped; as soon as there is room, a line says how many. Confined to the thread that reads the stream.
 */
final class LineOutlet<E> {
    /** So a full queue refuses few lines for which it had room. */
    private static final int MOST_TOGETHER = 64;

    private final BoundedQueue<E> queue;
    private final Duration patience;
    private final Function<byte[], E> format;
    private final IntConsumer onDropped;
    /** Lines that are not in the queue yet. */
    private final List<E> together = new ArrayList<>();

    private long dropped;

    /**
     * Creates an outlet.
     *
     * @param patience how long it waits for room
     * @param onDropped receives how many lines are dropped
     */
    LineOutlet(BoundedQueue<E> queue, Duration patience, Function<byte[], E> format, IntConsumer onDropped) {
        this.queue = queue;
        this.patience = patience;
        this.format = format;
        this.onDropped = onDropped;
    }

    /** Takes a line, which is in the queue after {@link #flush} at the latest. */
    void write(byte[] text) throws InterruptedException {
        together.add(format.apply(text));
        if (together.size() == MOST_TOGETHER) {
            flush();
        }
    }

    void flush() throws InterruptedException {
        if (together.isEmpty()) {
            return;
        }
        int lines = together.size();
        Duration limit = patience;
        if (dropped > 0) {
            // Does not wait again until there is room: the process would be slowed down for each of its lines.
            limit = Duration.ZERO;
            together.add(0, notice());
        }
        if (queue.offer(together, limit)) {
            dropped = 0;
        } else {
            dropped += lines;
            onDropped.accept(lines);
        }
        together.clear();
    }

    /** The stream has ended. */
    void end() {
        if (dropped > 0) {
            try {
                queue.offer(List.of(notice()), patience);
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private E notice() {
        return format.apply("… %d lines are missing here, as the output is read too slowly%n"
                .formatted(dropped)
                .getBytes(UTF_8));
    }
}
