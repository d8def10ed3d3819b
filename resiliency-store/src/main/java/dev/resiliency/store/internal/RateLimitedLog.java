package dev.resiliency.store.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Warnings about what clients do. Of each kind, which is a format, only so many are logged in a minute, so that a client
 * cannot flood the log; the next one after that says how many were left out. The owner of the keyspace owns it.
 */
public final class RateLimitedLog {
    private static final int LINES = 10;
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final Logger log;
    private final LongSupplier nanoTime;
    private final Map<String, Kind> kinds = new HashMap<>();

    private static final class Kind {
        private long minuteStart;
        private int lines;
        private long leftOut;
    }

    /** With a clock such as {@link System#nanoTime()}. */
    public RateLimitedLog(Logger log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
    }

    /** Logs a warning if there were not too many. The format is a constant: what differs is in the arguments. */
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
            log.warn("Suppressed {} messages like this: {}", kind.leftOut, format);
            kind.leftOut = 0;
        } else if (kind.lines == LINES) {
            log.warn("Further messages like this are suppressed for a minute: {}", format);
        }
    }
}
