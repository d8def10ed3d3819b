package dev.resiliency.launcher.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 1h30m}. */
public final class Durations {
    /** Longer ones are mistakes, and would not fit into a number of nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(3650);

    private static final Pattern WHOLE = Pattern.compile("(?:\\d{1,9}(?:ms|[smhd]))+");
    private static final Pattern PART = Pattern.compile("(\\d+)(ms|[smhd])");
    private static final Map<String, Long> MILLIS = new LinkedHashMap<>();

    static {
        MILLIS.put("d", 86_400_000L);
        MILLIS.put("h", 3_600_000L);
        MILLIS.put("m", 60_000L);
        MILLIS.put("s", 1_000L);
        MILLIS.put("ms", 1L);
    }

    private Durations() {}

    /**
     * Parses a duration.
     *
     * @throws IllegalArgumentException if it is invalid; says what is valid
     */
    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is no duration: write a number and its unit, as in 500ms, 30s, 5m, 1h30m or 2d"
                            .formatted(text));
        }
        long millis = 0;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            millis += Long.parseLong(part.group(1)) * MILLIS.getOrDefault(part.group(2), 0L);
        }
        return checked("'" + text + "'", Duration.ofMillis(millis));
    }

    /**
     * Returns a duration that is neither negative nor longer than ten years.
     *
     * @throws IllegalArgumentException if it is; names it
     */
    public static Duration checked(String name, Duration duration) {
        if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "%s is %s: it must be between 0 and ten years".formatted(name, duration));
        }
        return duration;
    }

    /** Returns the duration so that {@link #parse} reads it; less than a millisecond is left out. */
    public static String format(Duration duration) {
        long rest = duration.toMillis();
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Long> unit : MILLIS.entrySet()) {
            long count = rest / unit.getValue();
            if (count != 0) {
                text.append(count).append(unit.getKey());
                rest -= count * unit.getValue();
            }
        }
        return text.isEmpty() ? "0" : text.toString();
    }
}
