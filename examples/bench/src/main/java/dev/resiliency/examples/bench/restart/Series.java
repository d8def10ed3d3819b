package dev.resiliency.examples.bench.restart;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.resiliency.examples.bench.measure.Table;
import dev.resiliency.examples.bench.restart.Case.Replacement;
import dev.resiliency.inprocess.RestartReport.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * All runs of one case.
 *
 * @param goalMillis upper limit of the median overhead in a job of 8 ranks
 * @param median medians of the runs, value by value
 */
record Series(@JsonUnwrapped Case of, int goalMillis, RestartTimes median, List<RestartTimes> runs) {
    Series(Case of, List<RestartTimes> runs) {
        this(of, of.goalMillis(), RestartTimes.median(runs), List.copyOf(runs));
    }

    /** Returns a table with the columns that tell series apart. */
    private static Table<Series> table() {
        return new Table<Series>()
                .column("fault        ", series -> series.of.fault().toString())
                .column("profile ", series -> series.of.profile().toString())
                .column("replace", series -> series.of.replace().toString())
                .column("ranks", series -> "" + series.of.ranks())
                .bar();
    }

    /** Returns the table of all restarts, in milliseconds. */
    static Table<Series> restarts() {
        Table<Series> table = table().column("runs", series -> "" + series.runs.size())
                .millis(" median", series -> series.median.overhead())
                .column(" goal", series -> "" + series.goalMillis)
                .range(Series::runs, RestartTimes::overhead)
                .bar()
                .millis(" detect", series -> series.median.detection());
        for (Phase phase : RestartTimes.PHASES) {
            String title = phase.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            table.millis("%12s".formatted(title), series -> series.median.phase(phase));
        }
        return table;
    }

    /** Returns the further tables, of the series that train something, have a replacement, or recover state from others. */
    static List<String> furtherTables(List<Series> all) {
        List<String> lines = new ArrayList<>();
        lines.addAll(table().column("training   ", series -> series.of.training())
                .millis(" re-entry", series -> series.median.overhead())
                .millis("    group", series -> series.median.group())
                .millis("first step", series -> series.median.firstStep())
                .range(Series::runs, RestartTimes::firstStep)
                .lines(
                        "From the fault until the last survivor has come that far:",
                        where(all, series -> !series.of.training().equals(Trainings.NONE))));
        lines.addAll(table().millis("survivors", series -> series.median.total())
                .millis("full world", series -> series.median.fullWorld())
                .range(Series::runs, RestartTimes::fullWorld)
                .lines(
                        "From the fault until the full world runs:",
                        where(all, series -> series.of.replace() != Replacement.NONE)));
        lines.addAll(table().column("training   ", series -> series.of.training())
                .millis(" recovery", series -> series.median.recovery())
                .lines(
                        "The recovery of the state from other ranks, on the rank where it took longest:",
                        where(all, series -> series.median.recovery() > 0)));
        return lines;
    }

    private static List<Series> where(List<Series> all, Predicate<Series> condition) {
        return all.stream().filter(condition).toList();
    }
}
