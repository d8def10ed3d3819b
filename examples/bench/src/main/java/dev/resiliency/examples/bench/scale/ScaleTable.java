package dev.resiliency.examples.bench.scale;

import dev.resiliency.examples.bench.measure.Machine;
import java.util.List;

/** Formats a report for people, in milliseconds. */
final class ScaleTable {
    private ScaleTable() {}

    static List<String> header(Machine machine) {
        return List.of(
                machine.toString(),
                "%6s | %8s %7s %6s %10s %7s | %7s %8s %8s | %8s %8s | %10s %8s %7s"
                        .formatted(
                                "ranks",
                                "restart",
                                "× floor",
                                "goal",
                                "of jobs",
                                "floor",
                                "notified",
                                "stopped",
                                "assigned",
                                "first",
                                "CPU",
                                "messages",
                                "bytes",
                                "MB"));
    }

    static String line(ScaleRow row) {
        ScaleSample median = row.median();
        return "%6d | %8.1f %7.2f %6s %10s %7.1f | %7.1f %8.1f %8.1f | %8.1f %8d | %10.1f %8.0f %7.0f"
                .formatted(
                        row.ranks(),
                        millis(median.total()),
                        row.ratio(),
                        "≤ " + ScaleRow.GOAL,
                        "%.1f - %.1f".formatted(row.lowest(), row.highest()),
                        row.floor() / 1e6,
                        millis(median.notified()),
                        millis(median.allStopped()),
                        millis(median.assigned()),
                        millis(row.first().total()),
                        median.cpuMillis(),
                        median.messages(),
                        median.bytes(),
                        row.residentBytes() / 1e6);
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
