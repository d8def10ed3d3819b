package dev.resiliency.examples.bench.store;

import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.examples.bench.measure.Table;
import java.util.List;

/**
 * All jobs of one size.
 *
 * @param floor median nanoseconds of a fan-out by a program that does nothing else
 * @param plain restarts of jobs that end with their store
 * @param agreed restarts of jobs that outlive the host of their store, and agree on each world
 * @param hostLost median nanoseconds from the loss of that host until all others may enter their function
 */
public record SimulatedSeries(
        int ranks, double floor, Restarts plain, Restarts agreed, double hostLost, List<Job> jobs) {
    /** Upper limits with 16,384 ranks. */
    private static final double GOAL = 3.5;

    private static final double GOAL_OF_AGREED = 1.4;
    private static final int GOAL_OF_HOST_LOST = 3000;

    /**
     * One job on a store server of its own, and one that outlives that.
     *
     * @param floors nanoseconds of one fan-out by a program that does nothing else, before and after them
     * @param hostLost nanoseconds from the loss of the host until all others may enter their function
     */
    public record Job(List<Long> floors, Restarts plain, Restarts agreed, long hostLost) {
        /** Returns the median of its restarts, in nanoseconds. */
        public long medianTotal() {
            return plain.median().total();
        }
    }

    /**
     * Restarts of one job, or of several.
     *
     * @param first the very first one, before the code of the server and of the leader is compiled
     * @param counted the counted ones
     * @param residentBytes of the server, after the last one
     */
    public record Restarts(Restart first, List<Restart> counted, long residentBytes) {
        /** Returns the medians of the counted ones, value by value. */
        Restart median() {
            return new Restart(Median.nanos(counted, Restart::total), Median.nanos(counted, Restart::cpuMillis));
        }

        private static Restarts of(List<Restarts> all) {
            return new Restarts(
                    all.get(0).first,
                    all.stream().flatMap(each -> each.counted.stream()).toList(),
                    all.stream().mapToLong(Restarts::residentBytes).max().orElseThrow());
        }
    }

    /** Returns the series of these jobs. */
    public static SimulatedSeries of(SimulatedJob of, List<Job> jobs) {
        return new SimulatedSeries(
                of.ranks(),
                Median.of(jobs.stream().flatMap(job -> job.floors().stream()).toList(), Long::doubleValue),
                Restarts.of(jobs.stream().map(Job::plain).toList()),
                Restarts.of(jobs.stream().map(Job::agreed).toList()),
                Median.of(jobs, job -> (double) job.hostLost()),
                List.copyOf(jobs));
    }

    /** Returns the table for people, in milliseconds. */
    public static Table<SimulatedSeries> table() {
        return new Table<SimulatedSeries>()
                .column(" ranks", series -> "" + series.ranks)
                .bar()
                .millis(" restart", series -> series.plain.median().total())
                .column(
                        "× floor",
                        series -> "%.2f".formatted(series.plain.median().total() / series.floor))
                .column("  goal", series -> "≤ " + GOAL)
                .millis("  floor", series -> series.floor)
                .millis("   first", series -> series.plain.first().total())
                .column("     CPU", series -> "" + series.plain.median().cpuMillis())
                .column("     MB", series -> "%.0f".formatted(series.plain.residentBytes() / 1e6))
                .bar()
                .millis("  agreed", series -> series.agreed.median().total())
                .column(
                        "× restart",
                        series -> "%.2f"
                                .formatted((double) series.agreed.median().total()
                                        / series.plain.median().total()))
                .column("  goal", series -> "≤ " + GOAL_OF_AGREED)
                .bar()
                .millis("host lost", series -> series.hostLost)
                .column("    goal", series -> "≤ " + GOAL_OF_HOST_LOST);
    }

    /**
     * One restart.
     *
     * @param total nanoseconds from the interruption until the last rank had its new state
     * @param cpuMillis CPU time of the server
     */
    public record Restart(long total, long cpuMillis) {}
}
