package dev.resiliency.examples.bench.store;

import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.examples.bench.measure.Table;
import java.util.List;

/**
 * All jobs of one size.
 *
 * @param floor median nanoseconds of a fan-out by a program that does nothing else
 * @param first the very first restart, before the code of the server and of the leader is compiled
 * @param median medians of all counted restarts, value by value
 * @param ratio the median's total divided by the floor
 */
public record SimulatedSeries(int ranks, double floor, Restart first, Restart median, double ratio, List<Job> jobs) {
    /** Upper limit of the ratio with 16,384 ranks. */
    private static final double GOAL = 3.5;

    /**
     * One job on a store server of its own.
     *
     * @param floors nanoseconds of one fan-out by a program that does nothing else, before and after the job
     * @param first the first restart
     * @param restarts the counted restarts
     * @param residentBytes of the server, after the last restart
     */
    public record Job(List<Long> floors, Restart first, List<Restart> restarts, long residentBytes) {
        /** Returns the median of its restarts, in nanoseconds. */
        public long medianTotal() {
            return Median.nanos(restarts, Restart::total);
        }
    }

    /** Returns the series of these jobs. */
    public static SimulatedSeries of(SimulatedJob of, List<Job> jobs) {
        double floor =
                Median.of(jobs.stream().flatMap(job -> job.floors().stream()).toList(), Long::doubleValue);
        List<Restart> all =
                jobs.stream().flatMap(job -> job.restarts().stream()).toList();
        Restart median = new Restart(Median.nanos(all, Restart::total), Median.nanos(all, Restart::cpuMillis));
        return new SimulatedSeries(
                of.ranks(), floor, jobs.get(0).first(), median, median.total() / floor, List.copyOf(jobs));
    }

    /** Returns the table for people, in milliseconds. */
    public static Table<SimulatedSeries> table() {
        return new Table<SimulatedSeries>()
                .column(" ranks", series -> "" + series.ranks)
                .bar()
                .millis(" restart", series -> series.median.total())
                .column("× floor", series -> "%.2f".formatted(series.ratio))
                .column("  goal", series -> "≤ " + GOAL)
                .millis("  floor", series -> series.floor)
                .bar()
                .millis("   first", series -> series.first.total())
                .column("     CPU", series -> "" + series.median.cpuMillis())
                .column("     MB", series -> "%.0f".formatted(series.residentBytes() / 1e6));
    }

    private long residentBytes() {
        return jobs.stream().mapToLong(Job::residentBytes).max().orElseThrow();
    }

    /**
     * One restart.
     *
     * @param total nanoseconds from the interruption until the last rank had its new state
     * @param cpuMillis CPU time of the server
     */
    public record Restart(long total, long cpuMillis) {}
}
