package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.inprocess.RestartReport.Phase;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Times of one restart, in nanoseconds.
 *
 * @param total from the fault until the last survivor had re-entered the function
 * @param overhead the same without the timeout before which the fault cannot be detected
 * @param detection from the fault, or the end of that timeout, until the last survivor learned of it
 * @param phases phases of the restart, each on the rank where it took longest
 */
record RestartTimes(long total, long overhead, long detection, Map<String, Long> phases) {

    /** The phases of each restart; the function of this benchmark pings, so it is never slowed down. */
    static final Set<Phase> PHASES = EnumSet.complementOf(EnumSet.of(Phase.BACK_OFF));

    /** Returns the medians of several restarts, value by value. */
    static RestartTimes median(List<RestartTimes> all) {
        Map<String, Long> phases = new LinkedHashMap<>();
        for (Phase phase : PHASES) {
            phases.put(phase.name(), median(all, each -> each.phases().getOrDefault(phase.name(), 0L)));
        }
        return new RestartTimes(
                median(all, RestartTimes::total),
                median(all, RestartTimes::overhead),
                median(all, RestartTimes::detection),
                phases);
    }

    private static long median(List<RestartTimes> all, ToDoubleFunction<RestartTimes> value) {
        return (long) Median.of(all, value);
    }
}
