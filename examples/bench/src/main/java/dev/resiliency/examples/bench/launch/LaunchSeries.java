package dev.resiliency.examples.bench.launch;

import dev.resiliency.examples.bench.launch.LaunchRun.Replacement;
import dev.resiliency.examples.bench.launch.LaunchRun.Times;
import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.examples.bench.measure.Table;
import java.util.List;

/**
 * All runs of one case.
 *
 * @param median medians of the runs, value by value
 */
record LaunchSeries(String replacement, int ranks, Times median, List<Times> runs) {

    static LaunchSeries of(Replacement how, int ranks, List<Times> runs) {
        Times median = new Times(Median.nanos(runs, Times::total), Median.nanos(runs, Times::untilStart));
        return new LaunchSeries(how.toString(), ranks, median, List.copyOf(runs));
    }

    /** Returns the table for people, in milliseconds. */
    static Table<LaunchSeries> table() {
        return new Table<LaunchSeries>()
                .column("replacement", LaunchSeries::replacement)
                .column("ranks", series -> "" + series.ranks)
                .column("runs", series -> "" + series.runs.size())
                .bar()
                .millis("  median", series -> series.median.total())
                .range(LaunchSeries::runs, Times::total)
                .bar()
                .millis("until start", series -> series.median.untilStart())
                .millis("until trains", series -> series.median.total() - series.median.untilStart());
    }
}
