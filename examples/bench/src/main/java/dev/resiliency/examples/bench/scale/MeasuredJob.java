package dev.resiliency.examples.bench.scale;

import dev.resiliency.examples.bench.Median;
import java.util.List;

/**
 * What came of one job on a store server of its own.
 *
 * @param floors how long one fan-out took that a program makes which does nothing else, before and after the job, in
 *     nanoseconds
 * @param first the first restart, in which the server's code is not compiled yet
 * @param restarts those that count
 * @param ratio the median of their totals divided by the median of the floors
 * @param residentBytes of the server, after the last restart
 * @param peakBytes the most that it had
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
