package dev.resiliency.store.internal;

import dev.resiliency.store.Value;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log for the thread that owns a keyspace. A log may block for as long as no one reads the pipe into which it is
 * written, and the store must not stand still with it: another thread writes the lines. At most {@link #MAX_LINES} wait
 * for it; further ones are dropped and counted. Thread-safe.
 *
 * <p>Arguments are written in one line each, cut off after {@link #SHOWN_CHARACTERS}: clients determine their contents.
 */
public final class BackgroundLog {
    static final int MAX_LINES = 1_000;
    static final int SHOWN_CHARACTERS = 512;

    /** The one of the process; its thread ends when nothing has been written for a while. */
    private static final Writer WRITER = new Writer();

    private final Logger log;
    private final Writer writer;

    /** Writes lines in their order, on one thread. */
    static final class Writer {
        private static final long IDLE_SECONDS = 5;

        private final AtomicLong dropped = new AtomicLong();
        private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_LINES), Writer::newThread);

        Writer() {
            thread.allowCoreThreadTimeOut(true);
        }

        private static Thread newThread(Runnable lines) {
            Thread thread = new Thread(lines, "resiliency-store-log");
            thread.setDaemon(true);
            return thread;
        }

        void write(Logger log, Runnable line) {
            try {
                thread.execute(() -> {
                    long missing = dropped.getAndSet(0);
                    if (missing > 0) {
                        log.warn("Dropped {} lines: the log could not be written as fast as they came", missing);
                    }
                    line.run();
                });
            } catch (RejectedExecutionException | OutOfMemoryError noRoom) { // in the queue, or for the thread
                dropped.incrementAndGet();
            }
        }

        /** Waits until the lines so far are written, for a limited time; not at all while too many are. */
        void flush(Duration limit) {
            CountDownLatch written = new CountDownLatch(1);
            try {
                thread.execute(written::countDown);
                written.await(limit.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException | OutOfMemoryError noRoom) {
                // there is no point in waiting for a log that no one reads
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
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
