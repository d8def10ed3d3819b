package dev.resiliency.examples.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Writes a rank's events on a thread of its own: the first JSON of each kind takes milliseconds to load classes, which
 * must not count as part of a restart.
 */
public final class LineWriter {
    private static final Duration FINISH_LIMIT = Duration.ofSeconds(30);

    private final PrintStream out;
    private final ExecutorService writer = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "event-writer");
        thread.setDaemon(true);
        return thread;
    });

    /** Creates a writer that flushes after each line. */
    public LineWriter(PrintStream out) {
        this.out = out;
    }

    /** Writes a line, which the writing thread obtains from the supplier. */
    public void write(Supplier<String> line) {
        writer.execute(() -> {
            out.writeBytes((line.get() + "\n").getBytes(UTF_8));
            out.flush();
        });
    }

    /** Waits until all lines so far are written. */
    public void flush() {
        CompletableFuture.runAsync(() -> {}, writer)
                .orTimeout(FINISH_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Waits until all lines are written, and accepts no more. */
    public void finish() throws InterruptedException {
        writer.shutdown();
        writer.awaitTermination(FINISH_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }
}
