package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.launcher.process.OutputSink;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Prints what processes write, line by line, and keeps the last lines of each. If there are several, each line stands behind the
 * name of its process: {@code [rank 3] step 100}. Whoever reads this output slowly does not slow several processes down for long:
 * after a second, lines are dropped, and counted. So are lines that cannot be written, as on a full disk.
 *
 * <p>Two threads read the streams of each process, another one writes. Safe for use by many threads.
 *
 * <p>Threads: {@code resiliency-output-rank-3-out} and {@code -err}, the readers, and {@code resiliency-output}, the
 * writer.
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

    private final LogFileWriter output;
    private final LogFileWriter errors;
    private final Consumer<String> complaints;
    private final boolean isShared;
    /** Null if there are no log files. */
    private final @Nullable CycleLog log;

    private final Thread writer;

    /** A line to print. */
    private static final class Line {
        final LogFileWriter target;
        final byte[] bytes;

        Line(LogFileWriter target, byte[] bytes) {
            this.target = target;
            this.bytes = bytes;
        }
    }

    /**
     * Prints to these streams, and to the log if there is one.
     *
     * @param isShared whether there are several processes
     * @param complaints receive that a stream cannot be written, and how many lines it lacks
     */
    public RankOutput(
            WritableByteChannel output,
            WritableByteChannel errors,
            boolean isShared,
            @Nullable CycleLog log,
            Consumer<String> complaints) {
        this.output = LogFileWriter.of(output, "standard output", complaints);
        this.errors = LogFileWriter.of(errors, "standard error", complaints);
        this.complaints = complaints;
        this.isShared = isShared;
        this.log = log;
        writer = new Thread(this::write, "resiliency-output");
        writer.setDaemon(true);
        writer.start();
    }

    /** Returns the output of several processes to the standard streams of this one, and to the log if there is one. */
    public static RankOutput ofSeveral(@Nullable CycleLog log, Consumer<String> complaints) {
        return ofStandardStreams(true, log, complaints);
    }

    /** Not by way of {@code System.out}, which does not say what it could not write. */
    private static RankOutput ofStandardStreams(boolean isShared, @Nullable CycleLog log, Consumer<String> complaints) {
        return new RankOutput(
                new FileOutputStream(FileDescriptor.out).getChannel(),
                new FileOutputStream(FileDescriptor.err).getChannel(),
                isShared,
                log,
                complaints);
    }

    /**
     * Returns the output of a single process to the standard streams of this one, and to the log if there is one. Empty without a
     * log, if the streams are a terminal, which the process had better write to itself. Lines have no names, and without a log
     * none is dropped.
     */
    public static Optional<RankOutput> ofOne(@Nullable CycleLog log, Consumer<String> complaints) {
        return log == null && Terminal.isWrittenTo()
                ? Optional.empty()
                : Optional.of(ofStandardStreams(false, log, complaints));
    }

    /** So many nodes begin a cycle: the log, if there is one, has a file for each. */
    public void enter(int cycle, int nodes) {
        if (log != null) {
            log.enter(cycle, nodes);
        }
    }

    /**
     * Returns what receives the output of a process that starts now. A single process keeps the standard input of this one.
     *
     * @param reason why it starts again, for the log
     */
    public OutputSink of(String name, String reason) {
        if (log != null) {
            log.started(name, reason);
        }
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

    private void read(String name, String suffix, InputStream from, LogFileWriter to, OutputTail tail) {
        List<LineOutlet<?>> outlets =
                log == null ? List.of(outlet(name, to)) : List.of(log.outlet(name), outlet(name, to));
        String threadName = "resiliency-output-" + name.replace(' ', '-') + suffix;
        Thread reader = new Thread(() -> readAll(from, outlets, tail), threadName);
        reader.setDaemon(true);
        readers.add(reader);
        reader.start();
    }

    private void readAll(InputStream from, List<LineOutlet<?>> outlets, OutputTail tail) {
        try (from) {
            LineReader.read(from, sink(outlets, tail));
        } catch (IOException ended) {
            // The stream of a process that was killed may end in this way.
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            outlets.forEach(LineOutlet::end);
            tail.ended();
            readers.remove(Thread.currentThread());
        }
    }

    private static LineReader.Sink sink(List<LineOutlet<?>> outlets, OutputTail tail) {
        return new LineReader.Sink() {
            @Override
            public void accept(byte[] line) throws InterruptedException {
                tail.add(line);
                for (LineOutlet<?> outlet : outlets) {
                    outlet.write(line);
                }
            }

            @Override
            public void pause() throws InterruptedException {
                for (LineOutlet<?> outlet : outlets) {
                    outlet.flush();
                }
            }
        };
    }

    private LineOutlet<Line> outlet(String name, LogFileWriter target) {
        byte[] prefix = isShared ? ("[" + name + "] ").getBytes(UTF_8) : new byte[0];
        Duration patience = isShared || log != null ? PATIENCE : LONG;
        return new LineOutlet<>(
                lines, patience, text -> new Line(target, isShared ? Lines.whole(prefix, text) : text), lines -> {});
    }

    private void write() {
        try {
            while (!lines.isDrained()) {
                List<Line> batch = lines.take(LONG);
                for (Line line : batch) {
                    line.target.write(0, line.bytes);
                }
                output.flush();
                errors.flush();
                lines.release(batch);
            }
            long lost = output.lostInAll() + errors.lostInAll();
            if (lost > 0) {
                complaints.accept("%d lines could not be printed".formatted(lost));
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
