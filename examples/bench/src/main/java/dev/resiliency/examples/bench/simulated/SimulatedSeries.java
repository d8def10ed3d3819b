package dev.resiliency.examples.bench.simulated;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.examples.bench.measure.Table;
import java.util.DoubleSummaryStatistics;
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
    record Job(List<Long> floors, Restart first, List<Restart> restarts, long residentBytes) {
        double ratio() {
            return Median.of(restarts, Restart::total) / Median.of(floors, Long::doubleValue);
        }
    }

    static SimulatedSeries of(int ranks, List<Job> jobs) {
        double floor =
                Median.of(jobs.stream().flatMap(job -> job.floors().stream()).toList(), Long::doubleValue);
        Restart median = Restart.medianOf(
                jobs.stream().flatMap(job -> job.restarts().stream()).toList());
        return new SimulatedSeries(
                ranks, floor, jobs.get(0).first(), median, median.total() / floor, List.copyOf(jobs));
    }

    /** Result of all sizes, as {@code --json} writes it. */
    public record Report(Machine machine, List<SimulatedSeries> series) {}

    /** Returns the table for people, in milliseconds. */
    public static Table<SimulatedSeries> table() {
        return new Table<SimulatedSeries>()
                .column(" ranks", series -> "" + series.ranks)
                .bar()
                .millis(" restart", series -> series.median.total())
                .column("× floor", series -> "%.2f".formatted(series.ratio))
                .column("  goal", series -> "≤ " + GOAL)
                .column("   of jobs", series -> series.jobRatios())
                .millis("  floor", series -> series.floor)
                .bar()
                .millis("notified", series -> series.median.notified())
                .millis(" stopped", series -> series.median.allStopped())
                .millis("assigned", series -> series.median.assigned())
                .bar()
                .millis("   first", series -> series.first.total())
                .column("     CPU", series -> "" + series.median.cpuMillis())
                .bar()
                .column("  messages", series -> "%.1f".formatted(series.median.messages()))
                .column("   bytes", series -> "%.0f".formatted(series.median.bytes()))
                .column("     MB", series -> "%.0f".formatted(series.residentBytes() / 1e6));
    }

    private String jobRatios() {
        DoubleSummaryStatistics ratios = jobs.stream().mapToDouble(Job::ratio).summaryStatistics();
        return "%.1f - %.1f".formatted(ratios.getMin(), ratios.getMax());
    }

    private long residentBytes() {
        return jobs.stream().mapToLong(Job::residentBytes).max().orElseThrow();
    }

    /**
     * One restart. Times are nanoseconds since the interruption was sent to the store.
     *
     * @param total when the last rank had its new state
     * @param notified when the last rank had learned of it
     * @param allStopped when the leader learned that all ranks had arrived
     * @param assigned when the leader had computed the assignment
     * @param cpuMillis CPU time of the server
     * @param messages messages that a rank other than the leader sent and received, on average
     * @param bytes of these messages
     */
    record Restart(
            long total, long notified, long allStopped, long assigned, long cpuMillis, double messages, double bytes) {
        /** Returns the medians, value by value. */
        static Restart medianOf(List<Restart> restarts) {
            return new Restart(
                    (long) Median.of(restarts, Restart::total),
                    (long) Median.of(restarts, Restart::notified),
                    (long) Median.of(restarts, Restart::allStopped),
                    (long) Median.of(restarts, Restart::assigned),
                    (long) Median.of(restarts, Restart::cpuMillis),
                    Median.of(restarts, Restart::messages),
                    Median.of(restarts, Restart::bytes));
        }
    }
}
