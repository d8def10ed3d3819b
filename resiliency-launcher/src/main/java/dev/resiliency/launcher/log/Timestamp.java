package dev.resiliency.launcher.log;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The time as the lines of logs have it, cheap for many lines in a second. Confined to one thread. */
final class Timestamp {
    private static final DateTimeFormatter SECOND = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final int MILLIS = 1000;

    private long second = Long.MIN_VALUE;
    private String text = "";

    /** Returns a time, in milliseconds since 1970, as {@code 2026-01-07 14:02:11.205}. */
    String of(long millis) {
        long newSecond = Math.floorDiv(millis, MILLIS);
        if (newSecond != second) {
            second = newSecond;
            text = SECOND.format(Instant.ofEpochSecond(second).atZone(ZoneId.systemDefault()));
        }
        int rest = (int) Math.floorMod(millis, (long) MILLIS);
        return text + "." + rest / 100 + rest / 10 % 10 + rest % 10;
    }
}
