package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.restart.RestartTimes.Part;
import dev.resiliency.inprocess.RestartReport.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Formats one row per series, in milliseconds. */
final class RestartTable {
    private RestartTable() {}

    static String header() {
        StringBuilder header = new StringBuilder("%-13s %-8s %-7s %5s %4s | %7s %5s %7s %7s | %7s"
                .formatted("fault", "profile", "replace", "ranks", "runs", "median", "goal", "min", "max", "detect"));
        for (Phase phase : RestartTimes.PHASES) {
            header.append(" %12s".formatted(words(phase)));
        }
        return header.toString();
    }

    static String row(Series series) {
        RestartTimes median = series.median();
        StringBuilder row = new StringBuilder("%-13s %-8s %-7s %5d %4d | %7.1f %5d %7.1f %7.1f | %7.1f"
                .formatted(
                        series.fault(),
                        series.profile(),
                        series.replace(),
                        series.ranks(),
                        series.runs().size(),
                        millis(median.overhead()),
                        series.goalMillis(),
                        least(series, RestartTimes::overhead),
                        most(series, RestartTimes::overhead),
                        millis(median.detection())));
        median.phases().values().forEach(nanos -> row.append(" %12.1f".formatted(millis(nanos))));
        return row.toString();
    }

    /** Returns a table of the series that train something; empty if there are none. */
    static List<String> firstStep(List<Series> all) {
        List<Series> training = all.stream()
                .filter(series -> !series.training().equals(NoTraining.NAME))
                .toList();
        if (training.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(List.of(
                "",
                "From the fault until the last survivor has come that far:",
                "%-11s %-13s %-8s %-7s %5s | %9s %9s %10s %9s %9s"
                        .formatted(
                                "training",
                                "fault",
                                "profile",
                                "replace",
                                "ranks",
                                "re-entry",
                                "group",
                                "first step",
                                "min",
                                "max")));
        training.forEach(series -> lines.add("%-11s %-13s %-8s %-7s %5d | %9.1f %9.1f %10.1f %9.1f %9.1f"
                .formatted(
                        series.training(),
                        series.fault(),
                        series.profile(),
                        series.replace(),
                        series.ranks(),
                        millis(series.median().overhead()),
                        millis(series.median().group()),
                        millis(series.median().firstStep()),
                        least(series, RestartTimes::firstStep),
                        most(series, RestartTimes::firstStep))));
        return lines;
    }

    /** Returns a further table, of the series with a replacement; empty if there are none. */
    static List<String> fullWorld(List<Series> all) {
        List<Series> replaced = all.stream()
                .filter(series -> !series.replace().equals(Replacement.NONE.toString()))
                .toList();
        if (replaced.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(List.of("", "From the fault until the full world runs:"));
        StringBuilder header = new StringBuilder("%-13s %-8s %-7s | %9s %10s %9s %9s %9s |"
                .formatted("fault", "profile", "replace", "survivors", "full world", "min", "max", "× without"));
        for (Part part : Part.values()) {
            header.append(" %15s".formatted(words(part)));
        }
        lines.add(header.toString());
        replaced.forEach(series -> lines.add(fullWorldRow(series)));
        return lines;
    }

    /** Returns a table of the series in which state came from other ranks; empty if there are none. */
    static List<String> recovery(List<Series> all) {
        List<Series> recovered = all.stream()
                .filter(series -> !series.median().recovery().isEmpty())
                .toList();
        if (recovered.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(List.of(
                "",
                "The recovery of the state from other ranks, on the rank where it took longest:",
                "%-11s %-7s %5s | %9s %9s %9s %9s %9s | %6s"
                        .formatted(
                                "training", "replace", "ranks", "ms", "agree", "connect", "bytes", "digest", "GB/s")));
        for (Series series : recovered) {
            Map<String, Long> nanos = series.median().recovery();
            double megabytes = Double.parseDouble(series.training().substring(StateTraining.PREFIX.length()));
            lines.add("%-11s %-7s %5d | %9.1f %9.1f %9.1f %9.1f %9.1f | %6.2f"
                    .formatted(
                            series.training(),
                            series.replace(),
                            series.ranks(),
                            millis(nanos.getOrDefault("all", 0L)),
                            millis(nanos.getOrDefault("agree", 0L)),
                            millis(nanos.getOrDefault("connect", 0L)),
                            millis(nanos.getOrDefault("bytes", 0L)),
                            millis(nanos.getOrDefault("digest", 0L)),
                            megabytes * (1 << 20) / nanos.getOrDefault("all", 0L)));
        }
        return lines;
    }

    private static String fullWorldRow(Series series) {
        RestartTimes median = series.median();
        ToLongFunction<RestartTimes> full =
                times -> times.fullWorld() == null ? 0 : times.fullWorld().longValue();
        StringBuilder row = new StringBuilder("%-13s %-8s %-7s | %9.1f %10.1f %9.1f %9.1f %9s |"
                .formatted(
                        series.fault(),
                        series.profile(),
                        series.replace(),
                        millis(median.total()),
                        millis(full.applyAsLong(median)),
                        least(series, full),
                        most(series, full),
                        series.ratio() == null ? "" : "%.2f".formatted(series.ratio())));
        median.parts().values().forEach(nanos -> row.append(" %15.1f".formatted(millis(nanos))));
        return row.toString();
    }

    private static double least(Series series, ToLongFunction<RestartTimes> value) {
        return millis(series.runs().stream().mapToLong(value).min().orElseThrow());
    }

    private static double most(Series series, ToLongFunction<RestartTimes> value) {
        return millis(series.runs().stream().mapToLong(value).max().orElseThrow());
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    static double millis(long nanos) {
        return nanos / 1e6;
    }
}
