package dev.resiliency.examples.bench.chaos;

import dev.resiliency.state.RecoveryReport.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Formats the result of a run for people. */
final class ChaosTable {
    private ChaosTable() {}

    static List<String> lines(Tally tally) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("%-30s %8s %20s %20s %10s   %s"
                .formatted(
                        "fault",
                        "injected",
                        "recovered / expected",
                        "lost / expected",
                        "overtaken",
                        "ms to recovery:     p50      p90      p99      max"));
        for (Map.Entry<String, Tally.StrikeCount> entry : tally.rows().entrySet()) {
            Tally.StrikeCount row = entry.getValue();
            lines.add("%-30s %8d %20s %20s %10d   %s"
                    .formatted(
                            entry.getKey(),
                            row.injected(),
                            row.recovered() + " / " + row.toRecover(),
                            row.lost() + " / " + row.toLose(),
                            row.overtaken(),
                            latency(tally.latency(entry.getKey()))));
        }
        lines.add("%-94s%s".formatted(Tally.SEVERAL, latency(tally.latency(Tally.SEVERAL))));
        if (tally.replacements() > 0) {
            lines.add("%-94s%s".formatted(Tally.ALL, latency(tally.latency(Tally.ALL))));
            lines.add("%-94s%s".formatted("after a loss, until the full world trains", latency(tally.fullAgain())));
        }
        lines.add("");
        lines.add("%d faults in %d jobs, %d restarts; %d jobs ended because the host of their store was lost"
                .formatted(tally.injected(), tally.jobs(), tally.restarts(), tally.storeLosses()));
        if (tally.replacements() > 0) {
            lines.add("%d ranks started again; %d times a job lost all ranks and began anew"
                    .formatted(tally.replacements(), tally.generations()));
        }
        lines.add("State recovered %d times from memory, %d times from peers, %d times from the checkpoint"
                .formatted(
                        tally.stateOrigins().get(Source.MEMORY),
                        tally.stateOrigins().get(Source.PEERS),
                        tally.stateOrigins().get(Source.CHECKPOINT)));
        if (!tally.disturbances().isEmpty()) {
            lines.add(disturbances(tally));
        }
        for (Tally.Violation violation : tally.violations()) {
            lines.add("BROKEN in job %d: %s (logs: %s)".formatted(violation.job(), violation.what(), violation.logs()));
        }
        lines.add(
                tally.violations().isEmpty()
                        ? "No invariant was broken."
                        : tally.violations().size() + " violations.");
        return lines;
    }

    private static String disturbances(Tally tally) {
        return tally.disturbances().entrySet().stream()
                        .map(each -> each.getValue() + " " + each.getKey().plural())
                        .collect(Collectors.joining(", ", "Around them: ", ""))
                + "; %d outages without any fault; %d processes turned away; %.1f GB for neighbours"
                        .formatted(tally.outagesAlone(), tally.refusedProcesses(), tally.neighbourBytes() / 1e9);
    }

    /** Of single strikes only, since of several at once the cost of each is unknown. */
    private static String latency(Histogram micros) {
        if (micros.getTotalCount() == 0) {
            return "%23s %8s %8s %8s".formatted("", "", "", "");
        }
        return "%23.1f %8.1f %8.1f %8.1f"
                .formatted(
                        micros.getValueAtPercentile(50) / 1e3,
                        micros.getValueAtPercentile(90) / 1e3,
                        micros.getValueAtPercentile(99) / 1e3,
                        micros.getMaxValue() / 1e3);
    }
}
