package dev.resiliency.monitor.spi;

import dev.resiliency.inprocess.RestartReport.Phase;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * A restart of the wrapper, as a rank has stamped it for its agent: see {@link dev.resiliency.inprocess.RestartReport}.
 *
 * @param iteration that has begun with it
 * @param knownAt when the rank learned of the interruption, by {@link System#nanoTime}
 * @param total until the iteration began
 * @param phases in their order
 * @param cause as the rank logs it; a long one is cut
 * @since 0.1.0
 */
public record RankRestart(int iteration, long knownAt, Duration total, Map<Phase, Duration> phases, String cause) {
    /** Copies the phases. */
    public RankRestart {
        Map<Phase, Duration> copy = new EnumMap<>(Phase.class);
        copy.putAll(phases);
        phases = Collections.unmodifiableMap(copy);
    }
}
