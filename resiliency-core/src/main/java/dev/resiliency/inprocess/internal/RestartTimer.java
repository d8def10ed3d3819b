package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.RestartReport.Phase;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Takes the times of one restart. Confined to the monitor thread. */
final class RestartTimer {
    private final long start;
    private final Map<Phase, Duration> phases = new EnumMap<>(Phase.class);
    private long last;

    /** Starts at the moment at which this rank knew of the interruption. */
    RestartTimer(long now) {
        this.start = now;
        this.last = now;
    }

    /** Ends a phase, which began when the one before it ended. */
    void end(Phase phase, long now) {
        phases.put(phase, Duration.ofNanos(now - last));
        last = now;
    }

    Duration total() {
        return Duration.ofNanos(last - start);
    }

    Map<Phase, Duration> phases() {
        return Collections.unmodifiableMap(phases);
    }

    /** {@code last call 10.1, abort 0.3 ms}. */
    static String describe(Map<Phase, Duration> phases) {
        StringJoiner text = new StringJoiner(", ", "", " ms");
        phases.forEach((phase, duration) ->
                text.add(phase.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + millis(duration)));
        return text.toString();
    }

    /** With one decimal. */
    static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%.1f", duration.toNanos() / 1e6);
    }
}
