package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Table;
import dev.resiliency.examples.bench.restart.Conditions.BenchFault;
import dev.resiliency.examples.bench.restart.Conditions.BenchProfile;
import dev.resiliency.examples.bench.restart.Conditions.Replacement;
import dev.resiliency.examples.bench.restart.RestartTimes.Part;
import dev.resiliency.inprocess.RestartReport.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * All runs of one training and one fault, with one profile and one replacement.
 *
 * @param goalMillis upper limit of the median overhead in a job of 8 ranks
 * @param ratio the median time until the full world ran, divided by the median time until the survivors ran in jobs without
 *     a replacement, which took turns with these; null except with a spare
 * @param median medians of the runs, value by value
 */
record Series(
        String training,
        String fault,
        String profile,
        String replace,
        int ranks,
        int goalMillis,
        @Nullable Double ratio,
        RestartTimes median,
        List<RestartTimes> runs) {

    /** Result of all runs, as {@code --json} writes it. */
    record Report(Machine machine, List<Series> series) {}

    /**
     * Creates a series.
     *
     * @param without the median of jobs without a replacement, to compare with; null if there are none
     */
    static Series of(
            String training,
            BenchFault fault,
            BenchProfile profile,
            Replacement replacement,
            int ranks,
            List<RestartTimes> runs,
            @Nullable RestartTimes without) {
        RestartTimes median = RestartTimes.median(runs);
        return new Series(
                training,
                fault.toString(),
                profile.toString(),
                replacement.toString(),
                ranks,
                profile.goalMillis(fault),
                replacement == Replacement.SPARE ? ratio(median.fullWorld(), without) : null,
                median,
                List.copyOf(runs));
    }

    private static @Nullable Double ratio(@Nullable Long full, @Nullable RestartTimes without) {
        return full == null || without == null ? null : (Double) ((double) full / without.total());
    }

    /** Returns a table with the columns that tell series apart. */
    private static Table<Series> table() {
        return new Table<Series>()
                .column("fault        ", Series::fault)
                .column("profile ", Series::profile)
                .column("replace", Series::replace)
                .column("ranks", series -> "" + series.ranks)
                .bar();
    }

    /** Returns the table of all restarts, in milliseconds. */
    static Table<Series> restarts() {
        Table<Series> table = table().column("runs", series -> "" + series.runs.size())
                .millis(" median", series -> series.median.overhead())
                .column(" goal", series -> "" + series.goalMillis)
                .millis("    min", series -> series.least(RestartTimes::overhead))
                .millis("    max", series -> series.most(RestartTimes::overhead))
                .bar()
                .millis(" detect", series -> series.median.detection());
        for (Phase phase : RestartTimes.PHASES) {
            table.millis(words(phase, 12), series -> series.median.phase(phase));
        }
        return table;
    }

    /** Returns the further tables, of the series that train something, have a replacement, or recover state from others. */
    static List<String> furtherTables(List<Series> all) {
        List<String> lines = new ArrayList<>();
        Table<Series> firstStep = table().column("training   ", Series::training)
                .millis(" re-entry", series -> series.median.overhead())
                .millis("    group", series -> series.median.group())
                .millis("first step", series -> series.median.firstStep())
                .millis("      min", series -> series.least(RestartTimes::firstStep))
                .millis("      max", series -> series.most(RestartTimes::firstStep));
        lines.addAll(firstStep.lines(
                "From the fault until the last survivor has come that far:",
                where(all, series -> !series.training.equals(Trainings.NONE))));
        Table<Series> fullWorld = table().millis("survivors", series -> series.median.total())
                .millis("full world", series -> RestartTimes.fullWorldOf(series.median))
                .millis("      min", series -> series.least(RestartTimes::fullWorldOf))
                .millis("      max", series -> series.most(RestartTimes::fullWorldOf))
                .column("× without", series -> series.ratio == null ? "" : "%.2f".formatted(series.ratio))
                .bar();
        for (Part part : Part.values()) {
            fullWorld.column(words(part, 15), series -> millisOf(series.median.parts(), part.name()));
        }
        lines.addAll(fullWorld.lines(
                "From the fault until the full world runs:",
                where(all, series -> !series.replace.equals(Replacement.NONE.toString()))));
        Table<Series> recovery = table().column("training   ", Series::training);
        for (String phase : List.of("all", "agree", "connect", "bytes", "digest")) {
            recovery.column("%9s".formatted(phase), series -> millisOf(series.median.recovery(), phase));
        }
        recovery.column("  GB/s", series -> "%.2f".formatted(series.gigabytesPerSecond()));
        lines.addAll(recovery.lines(
                "The recovery of the state from other ranks, on the rank where it took longest:",
                where(all, series -> !series.median.recovery().isEmpty())));
        return lines;
    }

    private static List<Series> where(List<Series> all, Predicate<Series> condition) {
        return all.stream().filter(condition).toList();
    }

    private long least(ToLongFunction<RestartTimes> value) {
        return runs.stream().mapToLong(value).min().orElseThrow();
    }

    private long most(ToLongFunction<RestartTimes> value) {
        return runs.stream().mapToLong(value).max().orElseThrow();
    }

    private double gigabytesPerSecond() {
        double megabytes = Double.parseDouble(training.substring(Trainings.STATE_PREFIX.length()));
        return megabytes * (1 << 20) / median.recovery().getOrDefault("all", 0L);
    }

    private static String millisOf(Map<String, Long> nanos, String name) {
        Long value = nanos.get(name);
        return value == null ? "" : "%.1f".formatted(value / 1e6);
    }

    private static String words(Enum<?> constant, int width) {
        return ("%" + width + "s")
                .formatted(constant.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }
}
