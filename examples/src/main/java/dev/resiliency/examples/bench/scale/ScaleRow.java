package dev.resiliency.examples.bench.scale;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * All restarts of a job of one size.
 *
 * @param floors how long one fan-out took that a program makes which does nothing else, in nanoseconds
 * @param floor the median of them
 * @param first the first restart, in which the code of the server and of the leader is not compiled yet
 * @param restarts those that count
 * @param median of those that count, each value by itself
 * @param ratio the median's total divided by the floor
 * @param residentBytes of the server, after the last restart
 * @param peakBytes the most that it had
 */
record ScaleRow(
        int ranks,
        List<Long> floors,
        double floor,
        ScaleSample first,
        List<ScaleSample> restarts,
        ScaleSample median,
        double ratio,
        long residentBytes,
        long peakBytes) {
    /** What the ratio is to be at most, with 16,384 ranks. */
    static final double GOAL = 3.5;

    static ScaleRow of(
            int ranks, List<Long> floors, List<ScaleSample> samples, int warmUp, long residentBytes, long peakBytes) {
        List<ScaleSample> others = samples.subList(warmUp, samples.size());
        ScaleSample median = new ScaleSample(
                (long) median(others, ScaleSample::total),
                (long) median(others, ScaleSample::told),
                (long) median(others, ScaleSample::allStopped),
                (long) median(others, ScaleSample::assigned),
                (long) median(others, ScaleSample::cpuMillis),
                median(others, ScaleSample::messages),
                median(others, ScaleSample::bytes));
        double floor = median(floors, Long::doubleValue);
        return new ScaleRow(
                ranks,
                List.copyOf(floors),
                floor,
                samples.get(0),
                List.copyOf(others),
                median,
                median.total() / floor,
                residentBytes,
                peakBytes);
    }

    private static <T> double median(List<T> all, ToDoubleFunction<T> value) {
        List<Double> sorted = all.stream()
                .map(value::applyAsDouble)
                .sorted(Comparator.naturalOrder())
                .toList();
        return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
    }
}
