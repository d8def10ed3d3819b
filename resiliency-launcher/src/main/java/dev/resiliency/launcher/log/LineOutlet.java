package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * The way of one stream's lines into a queue. When the queue stays full for too long, lines are dropped; as soon as there is room, a
 * line says how many. Confined to the thread that reads the stream.
 */
final class LineOutlet<E> {
    private final BoundedQueue<E> queue;
    private final Duration patience;
    private final Function<byte[], E> format;
    private final Runnable onDropped;
    private long dropped;

    /**
     * Creates an outlet.
     *
     * @param patience how long it waits for room
     * @param onDropped run for each line that is dropped
     */
    LineOutlet(BoundedQueue<E> queue, Duration patience, Function<byte[], E> format, Runnable onDropped) {
        this.queue = queue;
        this.patience = patience;
        this.format = format;
        this.onDropped = onDropped;
    }

    void write(byte[] text) throws InterruptedException {
        E line = format.apply(text);
        if (dropped == 0) {
            dropped = queue.offer(List.of(line), patience) ? 0 : 1;
        } else {
            // Does not wait again until there is room: the process would be slowed down for each of its lines.
            dropped = queue.offer(List.of(notice(), line), Duration.ZERO) ? 0 : dropped + 1;
        }
        if (dropped > 0) {
            onDropped.run();
        }
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
