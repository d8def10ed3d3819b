package dev.resiliency.store.internal;

import dev.resiliency.store.Value;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log for the thread that owns a keyspace. A log may block for as long as no one reads the pipe into which it is
 * written, and the store must not stand still with it: another thread writes the lines. At most {@link #MAX_LINES} wait
 * for it; further ones are dropped and counted. Thread-safe.
 *
 * <p>Arguments are written in one line each, cut off after {@link #SHOWN_CHARACTERS}: clients determine their contents.
 *
 * <p>Thread: {@code resiliency-store-log}, while there are lines.
 */
public final class BackgroundLog {
    static final int MAX_LINES = 1_000;
    static final int SHOWN_CHARACTERS = 512;

    /** The one of the process. */
    private static final Writer WRITER = new Writer();

    private final Logger log;
    private final Writer writer;

    /** Writes lines in their order, on a thread that exists only while there are some. */
    static final class Writer {
        /** Guarded by this writer, as are the other fields. */
        private final Queue<Line> waiting = new ArrayDeque<>();

        private @Nullable Thread thread; // null while no line waits
        private long dropped;

        private record Line(Logger log, Runnable text) {}

        synchronized void write(Logger log, Runnable text) {
            if (waiting.size() >= MAX_LINES) {
                dropped++;
                return;
            }
            waiting.add(new Line(log, text));
            if (thread == null) {
                Thread next = new Thread(this::writeAll, "resiliency-store-log");
                next.setDaemon(true);
                try {
                    next.start();
                    thread = next;
                } catch (OutOfMemoryError noThread) {
                    // the next line tries again
                }
            }
        }

        private void writeAll() {
            try {
                for (Line line = next(); line != null; line = next()) {
                    long missing = takeDropped();
                    if (missing > 0) {
                        line.log().warn("Dropped {} lines: the log could not be written as fast as they came", missing);
                    }
                    line.text().run();
                }
            } finally {
                end(); // a log that fails ends its thread only
            }
        }

        /** Returns the next line to write; null if there is none, and then the next line needs another thread. */
        private synchronized @Nullable Line next() {
            Line line = waiting.poll();
            if (line == null) {
                end();
            }
            return line;
        }

        private synchronized void end() {
            if (thread == Thread.currentThread()) {
                thread = null;
            }
        }

        private synchronized long takeDropped() {
            long missing = dropped;
            dropped = 0;
            return missing;
        }

        /** Waits until the lines so far are written and their thread has ended: for a limited time, or until an interrupt. */
        void flush(Duration limit) {
            Thread writing;
            synchronized (this) {
                writing = thread;
            }
            if (writing != null) {
                try {
                    writing.join(limit.toMillis());
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    BackgroundLog(Logger log, Writer writer) {
        this.log = log;
        this.writer = writer;
    }

    /** Returns the log of a class. */
    public static BackgroundLog of(Class<?> type) {
        return new BackgroundLog(LoggerFactory.getLogger(type), WRITER);
    }

    /** Waits until all lines of this process so far are written, for a limited time or until an interrupt. */
    public static void flush(Duration limit) {
        WRITER.flush(limit);
    }

    /** Logs at DEBUG. The format must be a constant: everything that varies is an argument. */
    public void debug(String format, Object... arguments) {
        if (log.isDebugEnabled()) {
            Object[] shown = shown(arguments);
            writer.write(log, () -> log.debug(format, shown));
        }
    }

    /** Logs a warning. The format must be a constant: everything that varies is an argument. */
    public void warn(String format, Object... arguments) {
        Object[] shown = shown(arguments);
        writer.write(log, () -> log.warn(format, shown));
    }

    /** Logs a defect; if the last argument is an exception, with its stack trace. */
    public void error(String format, Object... arguments) {
        Object[] shown = shown(arguments);
        writer.write(log, () -> log.error(format, shown));
    }

    private static Object[] shown(Object[] arguments) {
        Object[] shown = arguments.clone();
        for (int i = 0; i < shown.length; i++) {
            if (!(shown[i] instanceof Number) && !(shown[i] instanceof Throwable)) {
                shown[i] = Value.printable(String.valueOf(shown[i]), SHOWN_CHARACTERS);
            }
        }
        return shown;
    }
}
