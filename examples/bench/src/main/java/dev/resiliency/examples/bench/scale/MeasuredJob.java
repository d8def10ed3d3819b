package dev.resiliency.examples.bench.scale;

import dev.resiliency.examples.bench.measure.Median;
import java.util.List;

/**
 * Result of one job on a store server of its own.
 *
 * @param floors nanoseconds of one fan-out by a program that does nothing else, before and after the job
 * @param first the first restart, before the server's code is compiled
 * @param restarts the counted restarts
 * @param ratio the median of their totals divided by the median of the floors
 * @param residentBytes of the server, after the last restart
 * @param peakBytes peak of that
 */
record MeasuredJob(
        List<Long> floors,
        ScaleSample first,
        List<ScaleSample> restarts,
        double ratio,
        long residentBytes,
        long peakBytes) {
    static MeasuredJob of(
            List<Long> floors, List<ScaleSample> samples, int warmUp, long residentBytes, long peakBytes) {
        List<ScaleSample> counted = samples.subList(warmUp, samples.size());
        return new MeasuredJob(
                List.copyOf(floors),
                samples.get(0),
                List.copyOf(counted),
                Median.of(counted, ScaleSample::total) / Median.of(floors, Long::doubleValue),
                residentBytes,
                peakBytes);
    }
}
