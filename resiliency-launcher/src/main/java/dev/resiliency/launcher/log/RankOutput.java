package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.launcher.process.OutputSink;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Prints what processes write, line by line, and keeps the last lines of each. If there are several, each line stands behind the
 * name of its process: {@code [rank 3] step 100}. Whoever reads this output slowly does not slow several processes down for long:
 * after a second, lines are dropped, and counted.
 *
 * <p>Two threads read the streams of each process, another one writes. Safe for use by many threads.
 */
public final class RankOutput implements AutoCloseable {
    private static final int MOST_LINES = 10_000;
    private static final int MOST_BYTES = 8 << 20;
    private static final int MOST_TAILS = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofHours(1);

    private final BoundedQueue<Line> lines = new BoundedQueue<>(MOST_LINES, MOST_BYTES, line -> line.bytes.length);
    private final Set<Thread> readers = ConcurrentHashMap.newKeySet();
    /** By the names of their processes, those of the latest processes last. Guarded by itself. */
    private final Map<String, OutputTail> tails = new LinkedHashMap<>();

    private final PrintStream output;
    private final PrintStream errors;
    private final boolean isShared;
    private final Thread writer;

    /** A line to print. */
    private static final class Line {
        final PrintStream target;
        final byte[] bytes;

        Line(PrintStream target, byte[] bytes) {
            this.target = target;
            this.bytes = bytes;
        }
    }

    /** Prints to these streams. */
    RankOutput(PrintStream output, PrintStream errors, boolean isShared) {
        this.output = output;
        this.errors = errors;
        this.isShared = isShared;
        writer = new Thread(this::write, "resiliency-output");
        writer.setDaemon(true);
        writer.start();
    }

    /** Returns the output of several processes to the standard streams of this one. */
    public static RankOutput ofSeveral() {
        return new RankOutput(System.out, System.err, true);
    }

    /**
     * Returns the output of a single process to the standard streams of this one; empty if they are a terminal, which the process
     * had better write to itself. Its lines have no names, and none is dropped.
     */
    public static Optional<RankOutput> ofOne() {
        return Terminal.isWrittenTo() ? Optional.empty() : Optional.of(new RankOutput(System.out, System.err, false));
    }

    /** Returns what receives the output of a process that is to start. A single process keeps the standard input of this one. */
    public OutputSink of(String name) {
        return new OutputSink() {
            @Override
            public void read(InputStream processOutput, InputStream processErrors) {
                RankOutput.this.read(name, processOutput, processErrors);
            }

            @Override
            public boolean sharesInput() {
                return !isShared;
            }
        };
    }

    /** Returns the last lines of the latest process of this name, which may have ended; empty if there was none for long. */
    public Optional<OutputTail> tail(String name) {
        synchronized (tails) {
            return Optional.ofNullable(tails.get(name));
        }
    }

    /** Prints the lines of a process until its streams end. */
    void read(String name, InputStream processOutput, InputStream processErrors) {
        OutputTail tail = newTail(name);
        read(name, "-out", processOutput, output, tail);
        read(name, "-err", processErrors, errors, tail);
    }

    private OutputTail newTail(String name) {
        OutputTail tail = new OutputTail();
        synchronized (tails) {
            tails.remove(name);
            tails.put(name, tail);
            Iterator<OutputTail> oldest = tails.values().iterator();
            while (tails.size() > MOST_TAILS && oldest.hasNext()) {
                if (oldest.next().hasEnded()) {
                    oldest.remove();
                }
            }
        }
        return tail;
    }

    private void read(String name, String suffix, InputStream from, PrintStream to, OutputTail tail) {
        String threadName = "resiliency-output-" + name.replace(' ', '-') + suffix;
        Thread reader = new Thread(() -> readAll(new Printer(name, to), from, tail), threadName);
        reader.setDaemon(true);
        readers.add(reader);
        reader.start();
    }

    private void readAll(Printer printer, InputStream from, OutputTail tail) {
        try (from) {
            LineReader.read(from, line -> {
                tail.add(line);
                printer.print(line);
            });
            printer.end();
        } catch (IOException ended) {
            // The stream of a process that was killed may end in this way.
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            tail.ended();
            readers.remove(Thread.currentThread());
        }
    }

    /** Prints the lines of one stream. Confined to the thread that reads it. */
    private final class Printer {
        private final byte[] prefix;
        private final PrintStream target;
        private long dropped;

        Printer(String name, PrintStream target) {
            this.prefix = isShared ? ("[" + name + "] ").getBytes(UTF_8) : new byte[0];
            this.target = target;
        }

        void print(byte[] text) throws InterruptedException {
            Line line = lineOf(text);
            if (!isShared) {
                lines.offer(List.of(line), LONG);
            } else if (dropped == 0) {
                dropped = lines.offer(List.of(line), PATIENCE) ? 0 : 1;
            } else {
                // Does not wait again until there is room: the process would be slowed down for each of its lines.
                dropped = lines.offer(List.of(notice(), line), Duration.ZERO) ? 0 : dropped + 1;
            }
        }

        private Line lineOf(byte[] text) {
            boolean isWhole = !isShared || text[text.length - 1] == '\n';
            byte[] bytes = new byte[prefix.length + text.length + (isWhole ? 0 : 1)];
            System.arraycopy(prefix, 0, bytes, 0, prefix.length);
            System.arraycopy(text, 0, bytes, prefix.length, text.length);
            if (!isWhole) {
                bytes[bytes.length - 1] = '\n';
            }
            return new Line(target, bytes);
        }

        private Line notice() {
            return lineOf("… %d lines are missing here, as the output is read too slowly%n"
                    .formatted(dropped)
                    .getBytes(UTF_8));
        }

        void end() throws InterruptedException {
            if (dropped > 0) {
                lines.offer(List.of(notice()), PATIENCE);
            }
        }
    }

    private void write() {
        try {
            while (!lines.isDrained()) {
                List<Line> batch = lines.take(LONG);
                for (Line line : batch) {
                    line.target.write(line.bytes, 0, line.bytes.length);
                }
                output.flush();
                errors.flush();
                lines.release(batch);
            }
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
            lines.close();
            writer.join(LAST_WORDS.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
