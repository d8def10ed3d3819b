package dev.resiliency.examples.bench.restart;

import dev.resiliency.inprocess.RestartReport.Phase;
import java.util.Locale;

/** Formats one row per series, in milliseconds. */
final class RestartTable {
    private RestartTable() {}

    static String header() {
        StringBuilder header = new StringBuilder("%-13s %-8s %5s %4s | %7s %5s %7s %7s | %7s"
                .formatted("fault", "profile", "ranks", "runs", "median", "goal", "min", "max", "detect"));
        for (Phase phase : RestartTimes.PHASES) {
            header.append(
                    " %12s".formatted(phase.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        }
        return header.toString();
    }

    static String row(Series series) {
        RestartTimes median = series.median();
        StringBuilder row = new StringBuilder("%-13s %-8s %5d %4d | %7.1f %5d %7.1f %7.1f | %7.1f"
                .formatted(
                        series.fault(),
                        series.profile(),
                        series.ranks(),
                        series.runs().size(),
                        millis(median.overhead()),
                        series.goalMillis(),
                        millis(series.runs().stream()
                                .mapToLong(RestartTimes::overhead)
                                .min()
                                .orElseThrow()),
                        millis(series.runs().stream()
                                .mapToLong(RestartTimes::overhead)
                                .max()
                                .orElseThrow()),
                        millis(median.detection())));
        median.phases().values().forEach(nanos -> row.append(" %12.1f".formatted(millis(nanos))));
        return row.toString();
    }

    static double millis(long nanos) {
        return nanos / 1e6;
    }
}
