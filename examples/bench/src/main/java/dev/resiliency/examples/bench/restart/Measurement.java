package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.Median;
import dev.resiliency.inprocess.RestartReport.Phase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * One restart. All times are in nanoseconds.
 *
 * @param total from the fault to the moment at which the last survivor was in the function again
 * @param overhead the same without the timeout after which alone the fault could be known
 * @param detection from the fault, or the end of that timeout, until the last survivor knew of it
 * @param phases of the restart, each on the rank on which it took longest
 */
record Measurement(long total, long overhead, long detection, Map<String, Long> phases) {

    /** The medians of several measurements, each value by itself. */
    static Measurement median(List<Measurement> all) {
        Map<String, Long> phases = new LinkedHashMap<>();
        for (Phase phase : Phase.values()) {
            phases.put(phase.name(), median(all, each -> each.phases().getOrDefault(phase.name(), 0L)));
        }
        return new Measurement(
                median(all, Measurement::total),
                median(all, Measurement::overhead),
                median(all, Measurement::detection),
                phases);
    }

    private static long median(List<Measurement> all, ToDoubleFunction<Measurement> value) {
        return (long) Median.of(all, value);
    }
}
