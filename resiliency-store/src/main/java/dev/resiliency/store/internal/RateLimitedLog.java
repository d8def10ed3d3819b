package dev.resiliency.store.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Logs warnings about clients. Of each kind, identified by its format, it logs a limited number per minute, so that a
 * client cannot flood the log; the first one after that says how many were suppressed. The owner of the keyspace owns
 * it.
 */
public final class RateLimitedLog {
    private static final int LINES = 10;
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final BackgroundLog log;
    private final LongSupplier nanoTime;
    private final Map<String, Kind> kinds = new HashMap<>();

    private static final class Kind {
        private long minuteStart;
        private int lines;
        private long leftOut;
    }

    /** Creates a log with a clock such as {@link System#nanoTime()}. */
    public RateLimitedLog(BackgroundLog log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
    }

    /**
     * Logs a warning unless there were too many. The format must be a constant: everything that varies is an argument.
     */
    public void warn(String format, Object... arguments) {
        long now = nanoTime.getAsLong();
        Kind kind = kinds.computeIfAbsent(format, unused -> new Kind());
        if (kind.lines == 0 || now - kind.minuteStart >= MINUTE) {
            kind.minuteStart = now;
            kind.lines = 0;
        }
        if (kind.lines == LINES) {
            kind.leftOut++;
            return;
        }
        kind.lines++;
        log.warn(format, arguments);
        if (kind.leftOut > 0) {
            log.warn("Suppressed {} messages like this: {}", kind.leftOut, outline(format));
            kind.leftOut = 0;
        } else if (kind.lines == LINES) {
            log.warn("Further messages like this are suppressed for a minute: {}", outline(format));
        }
    }

    /** Returns what such messages have in common. */
    private static String outline(String format) {
        return format.replace("{}", "…");
    }
}
