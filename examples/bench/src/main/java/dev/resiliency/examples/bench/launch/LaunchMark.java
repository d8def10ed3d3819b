package dev.resiliency.examples.bench.launch;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line that a rank prints: plain text, since the first JSON of a process takes as long as a restart.
 *
 * @param world the number of active ranks with which it has entered the function; 0 when its program has just started
 * @param nanos {@link System#nanoTime}, which is the same clock in all processes of a host
 */
record LaunchMark(int world, long nanos) {
    private static final Pattern FORM = Pattern.compile("world (\\d+) at (\\d+)");

    /** Returns a mark of now. */
    static LaunchMark now(int world) {
        return new LaunchMark(world, System.nanoTime());
    }

    String toLine() {
        return "world %d at %d".formatted(world, nanos);
    }

    /** Reads what {@link #toLine} has written; empty if it is something else. */
    static Optional<LaunchMark> parse(String line) {
        Matcher matcher = FORM.matcher(line);
        return matcher.matches()
                ? Optional.of(new LaunchMark(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }
}
