package dev.resiliency.launcher.log;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Prints what several processes write, line by line, each line behind the name of its process: {@code [rank 3] step 100}. Whoever
 * reads this output slowly does not slow the processes down for long: after a second, lines are dropped, and counted.
 *
 * <p>A thread reads each stream, another one writes. Safe for use by many threads.
 */
public final class RankOutput implements AutoCloseable {
    private static final int MOST_LINES = 10_000;
    private static final int LONGEST_LINE = 64 << 10;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>(MOST_LINES);
    private final Set<Thread> readers = ConcurrentHashMap.newKeySet();
    private final PrintStream output;
    private final PrintStream errors;
    private final Thread writer;

    /** A line to print. */
    private static final class Line {
        /** Null for the last line of all, which only ends the writer. */
        final @Nullable PrintStream target;

        final byte[] bytes;

        Line(@Nullable PrintStream target, byte[] bytes) {
            this.target = target;
            this.bytes = bytes;
        }
    }

    /** Prints to these streams. */
    public RankOutput(PrintStream output, PrintStream errors) {
        this.output = output;
        this.errors = errors;
        writer = start("resiliency-output", this::write);
    }

    /** Returns an output to the standard streams of this process. */
    public static RankOutput standard() {
        return new RankOutput(System.out, System.err);
    }

    private static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Prints the lines of a process until its streams end. */
    public void read(String name, InputStream processOutput, InputStream processErrors) {
        byte[] prefix = ("[" + name + "] ").getBytes(StandardCharsets.UTF_8);
        read(name, "-out", prefix, processOutput, output);
        read(name, "-err", prefix, processErrors, errors);
    }

    private void read(String name, String suffix, byte[] prefix, InputStream from, PrintStream to) {
        String threadName = "resiliency-output-" + name.replace(' ', '-') + suffix;
        Thread reader = new Thread(() -> readAll(prefix, from, to), threadName);
        reader.setDaemon(true);
        readers.add(reader);
        reader.start();
    }

    private void readAll(byte[] prefix, InputStream from, PrintStream to) {
        long dropped = 0;
        try (InputStream in = new BufferedInputStream(from)) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (line.size() == 0) {
                    line.writeBytes(prefix);
                }
                line.write(next);
                if (next == '\n' || line.size() >= LONGEST_LINE) {
                    dropped = dropped > 0 ? afterDropping(dropped, prefix, line, to) : offer(line.toByteArray(), to);
                    line.reset();
                }
            }
            if (line.size() > 0) {
                line.write('\n');
                offer(line.toByteArray(), to);
            }
            if (dropped > 0) {
                offer(notice(dropped, prefix), to);
            }
        } catch (IOException ended) {
            // The stream of a process that was killed may end in this way.
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            readers.remove(Thread.currentThread());
        }
    }

    /** Returns how many lines were dropped: 1 or 0. */
    private int offer(byte[] line, PrintStream to) throws InterruptedException {
        return lines.offer(new Line(to, line), PATIENCE.toMillis(), TimeUnit.MILLISECONDS) ? 0 : 1;
    }

    /** Does not wait again until there is room: the process would be slowed down for each of its lines. */
    private long afterDropping(long dropped, byte[] prefix, ByteArrayOutputStream line, PrintStream to) {
        boolean hasRoom = lines.remainingCapacity() > 1
                && lines.offer(new Line(to, notice(dropped, prefix)))
                && lines.offer(new Line(to, line.toByteArray()));
        return hasRoom ? 0 : dropped + 1;
    }

    private static byte[] notice(long dropped, byte[] prefix) {
        return "%s… %d lines are missing here, as the output is read too slowly%n"
                .formatted(new String(prefix, StandardCharsets.UTF_8), dropped)
                .getBytes(StandardCharsets.UTF_8);
    }

    private void write() {
        try {
            Line line = lines.take();
            for (PrintStream target = line.target; target != null; target = line.target) {
                target.write(line.bytes, 0, line.bytes.length);
                if (lines.isEmpty()) {
                    target.flush();
                }
                line = lines.take();
            }
            output.flush();
            errors.flush();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Prints what the processes have written before their end, for 2 s at most. */
    @Override
    public void close() {
        long deadline = System.nanoTime() + LAST_WORDS.toNanos();
        try {
            for (Thread reader : readers) {
                reader.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            }
            lines.offer(new Line(null, new byte[0]), LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
            writer.join(LAST_WORDS.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
