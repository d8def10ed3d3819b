package dev.resiliency.examples.bench.launch;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Median;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * All runs of one case.
 *
 * @param median medians of the runs, value by value
 */
record LaunchSeries(String replacement, int ranks, LaunchTimes median, List<LaunchTimes> runs) {

    static LaunchSeries of(LaunchCase how, int ranks, List<LaunchTimes> runs) {
        LaunchTimes median = new LaunchTimes(
                median(runs, LaunchTimes::total),
                median(runs, LaunchTimes::untilLaunch),
                median(runs, LaunchTimes::programStart));
        return new LaunchSeries(how.toString(), ranks, median, List.copyOf(runs));
    }

    private static long median(List<LaunchTimes> runs, ToLongFunction<LaunchTimes> value) {
        return (long) Median.of(runs, value::applyAsLong);
    }

    /** Result of all runs, as {@code --json} writes it. */
    record LaunchBenchReport(Machine machine, List<LaunchSeries> series) {}

    /** Result with {@code --agents}. */
    record AgentsReport(Machine machine, List<AgentsRow> rows) {}

    static String header() {
        return "%-11s %5s %4s | %8s %8s %8s | %12s %13s %12s"
                .formatted(
                        "replacement",
                        "ranks",
                        "runs",
                        "median",
                        "min",
                        "max",
                        "until launch",
                        "program start",
                        "until trains");
    }

    /** Returns the row for people, in milliseconds. */
    String line() {
        long joining = median.total() - median.untilLaunch() - median.programStart();
        return "%-11s %5d %4d | %8.1f %8.1f %8.1f | %12.1f %13.1f %12.1f"
                .formatted(
                        replacement,
                        ranks,
                        runs.size(),
                        median.total() / 1e6,
                        runs.stream().mapToLong(LaunchTimes::total).min().orElseThrow() / 1e6,
                        runs.stream().mapToLong(LaunchTimes::total).max().orElseThrow() / 1e6,
                        median.untilLaunch() / 1e6,
                        median.programStart() / 1e6,
                        joining / 1e6);
    }
}
