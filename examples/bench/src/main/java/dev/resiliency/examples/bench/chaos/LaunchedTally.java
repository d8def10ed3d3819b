package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Counts what has happened to launched jobs. Confined to the thread of the run. */
final class LaunchedTally {
    private static final int DIGITS = 3;

    private final Map<String, Row> rows = new TreeMap<>();
    private final Map<String, Integer> jobs = new TreeMap<>(); // by policy
    private final List<Tally.Violation> violations = new ArrayList<>();

    /** All blows of one kind. */
    private static final class Row {
        private int count;
        /** Milliseconds until the job was whole again, of blows that came alone. */
        private final Histogram millis = new Histogram(DIGITS);
    }

    /** A row, as {@code --json} writes it. */
    record BlowResult(String blow, int count, long alone, long p50Millis, long maxMillis) {}

    /** The result of a run, as {@code --json} writes it. */
    record Report(
            Machine machine,
            long seed,
            double minutes,
            Map<String, Integer> jobs,
            int blows,
            List<BlowResult> rows,
            List<Tally.Violation> violations) {}

    void job(LaunchedSettings settings) {
        jobs.merge(settings.policy(), 1, Integer::sum);
    }

    /**
     * Records a blow after which the job is whole again.
     *
     * @param nanos how long that took; negative if it came with others
     */
    void hit(String label, long nanos) {
        Row row = rows.computeIfAbsent(label, key -> new Row());
        row.count++;
        if (nanos >= 0) {
            row.millis.recordValue(nanos / 1_000_000);
        }
    }

    void violation(int job, String what, String logs) {
        violations.add(new Tally.Violation(job, what, logs));
    }

    List<Tally.Violation> violations() {
        return violations;
    }

    Report report(Machine machine, long seed, double minutes) {
        List<BlowResult> results = new ArrayList<>();
        rows.forEach((label, row) -> results.add(new BlowResult(
                label,
                row.count,
                row.millis.getTotalCount(),
                row.millis.getTotalCount() == 0 ? 0 : row.millis.getValueAtPercentile(50),
                row.millis.getMaxValue())));
        int blows = results.stream().mapToInt(BlowResult::count).sum();
        return new Report(machine, seed, minutes, jobs, blows, results, violations);
    }

    /** Formats a report for people. */
    static List<String> lines(Report report) {
        List<String> lines = new ArrayList<>(List.of(
                "", "%-32s %8s %8s   %s".formatted("what", "times", "alone", "s until whole again:  p50      max")));
        for (BlowResult row : report.rows()) {
            lines.add("%-32s %8d %8d   %25s %8s"
                    .formatted(
                            row.blow(),
                            row.count(),
                            row.alone(),
                            row.alone() == 0 ? "" : "%.1f".formatted(row.p50Millis() / 1e3),
                            row.alone() == 0 ? "" : "%.1f".formatted(row.maxMillis() / 1e3)));
        }
        lines.add("");
        lines.add("%d blows; jobs by policy: %s".formatted(report.blows(), report.jobs()));
        for (Tally.Violation violation : report.violations()) {
            lines.add("BROKEN in job %d: %s (logs: %s)".formatted(violation.job(), violation.what(), violation.logs()));
        }
        lines.add(
                report.violations().isEmpty()
                        ? "No invariant was broken."
                        : report.violations().size() + " violations.");
        return lines;
    }
}
