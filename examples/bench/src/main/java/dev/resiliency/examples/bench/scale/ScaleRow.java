package dev.resiliency.examples.bench.scale;

import dev.resiliency.examples.bench.measure.Median;
import java.util.List;

/**
 * All jobs of one size.
 *
 * @param floor median nanoseconds of a fan-out by a program that does nothing else
 * @param first the very first restart, before the leader's code is compiled, too
 * @param median medians of all counted restarts, value by value
 * @param ratio the median's total divided by the floor
 */
record ScaleRow(int ranks, double floor, ScaleSample first, ScaleSample median, double ratio, List<MeasuredJob> jobs) {
    /** Upper limit of the ratio with 16,384 ranks. */
    static final double GOAL = 3.5;

    static ScaleRow of(int ranks, List<MeasuredJob> jobs) {
        double floor =
                Median.of(jobs.stream().flatMap(job -> job.floors().stream()).toList(), Long::doubleValue);
        ScaleSample median = ScaleSample.medianOf(
                jobs.stream().flatMap(job -> job.restarts().stream()).toList());
        return new ScaleRow(ranks, floor, jobs.get(0).first(), median, median.total() / floor, List.copyOf(jobs));
    }

    /** Returns the lowest ratio of a job. */
    double lowest() {
        return jobs.stream().mapToDouble(MeasuredJob::ratio).min().orElseThrow();
    }

    /** Returns the highest ratio of a job. */
    double highest() {
        return jobs.stream().mapToDouble(MeasuredJob::ratio).max().orElseThrow();
    }

    /** Returns the largest resident memory of a server after its last restart. */
    long residentBytes() {
        return jobs.stream().mapToLong(MeasuredJob::residentBytes).max().orElseThrow();
    }
}
