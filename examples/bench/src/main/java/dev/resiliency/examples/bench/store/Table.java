package dev.resiliency.examples.bench.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Formats a report for people: the ratios first, and beside them their components. */
final class Table {
    private static final String LINE = "%-25s %8s %8s  %-18s %18s %18s %12s";

    private Table() {}

    static List<String> lines(StoreReport report) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "%,d clients, medians of %d rounds after one to warm up".formatted(report.clients(), report.rounds()));
        lines.add(report.machine().toString());
        lines.add("");
        lines.add(LINE.formatted("", "× peer", "× floor", "goal", "ours", "peer", "floor"));
        report.figures().forEach(row -> lines.add(line(row)));
        lines.add("");
        lines.add("With µs: p50 / p99 of a request. With ms, in brackets: CPU time of the server.");
        return lines;
    }

    private static String line(StoreReport.FigureResult row) {
        String goal = row.goal() == null ? "" : row.goal() + (row.isMet() == null ? "" : row.isMet() ? " ok" : " no");
        return LINE.formatted(
                        row.title(),
                        ratio(row.ratioToPeer()),
                        ratio(row.ratioToFloor()),
                        goal,
                        cell(row, Target.ServerKind.OURS),
                        cell(row, Target.ServerKind.PEER),
                        cell(row, Target.ServerKind.FLOOR))
                .stripTrailing();
    }

    private static String ratio(@Nullable Double ratio) {
        return ratio == null ? "" : "%.2f".formatted(ratio);
    }

    private static String cell(StoreReport.FigureResult row, Target.ServerKind kind) {
        StoreReport.Server server = row.servers().get(kind.title());
        if (server == null) {
            return "";
        }
        return switch (row.unit()) {
            case "µs" -> "%.0f / %.0f µs".formatted(server.p50Micros(), server.p99Micros());
            case "ms" -> "%.0f ms (%.0f)".formatted(server.median(), server.cpuMillis());
            case "/s" -> "%,.0f /s".formatted(server.median());
            default -> "%.1f %s".formatted(server.median(), row.unit());
        };
    }
}
