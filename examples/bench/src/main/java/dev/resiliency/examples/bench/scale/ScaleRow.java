package dev.resiliency.examples.bench.scale;

import dev.resiliency.examples.bench.Median;
import java.util.List;

/**
 * All jobs of one size.
 *
 * @param floor the median of all fan-outs of a program that does nothing else, in nanoseconds
 * @param first the very first restart, in which the leader's code is not compiled yet, either
 * @param median of all restarts that count, each value by itself
 * @param ratio the median's total divided by the floor
 */
record ScaleRow(int ranks, double floor, ScaleSample first, ScaleSample median, double ratio, List<MeasuredJob> jobs) {
    /** What the ratio is to be at most, with 16,384 ranks. */
    static final double GOAL = 3.5;

    static ScaleRow of(int ranks, List<MeasuredJob> jobs) {
        double floor =
                Median.of(jobs.stream().flatMap(job -> job.floors().stream()).toList(), Long::doubleValue);
        ScaleSample median = ScaleSample.medianOf(
                jobs.stream().flatMap(job -> job.restarts().stream()).toList());
        return new ScaleRow(ranks, floor, jobs.get(0).first(), median, median.total() / floor, List.copyOf(jobs));
    }

    /** The lowest ratio of one job. */
    double lowest() {
        return jobs.stream().mapToDouble(MeasuredJob::ratio).min().orElseThrow();
    }

    /** The highest ratio of one job. */
    double highest() {
        return jobs.stream().mapToDouble(MeasuredJob::ratio).max().orElseThrow();
    }

    /** What the server had that had most, after its last restart. */
    long residentBytes() {
        return jobs.stream().mapToLong(MeasuredJob::residentBytes).max().orElseThrow();
    }
}
