package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Table;
import dev.resiliency.state.RecoveryReport.Source;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Counts the results of a run, and writes them for people and for programs. Confined to the thread of the run. */
final class Tally {
    static final String SEVERAL = "several at once";
    /** The label of faults after which no member of the job was left. */
    static final String ALL = "all ranks, in a new generation";

    static final String FULL_WORLD = "after a loss, until the full world trains";

    private static final int DIGITS = 3;
    private final Map<String, Faults> faults = new TreeMap<>(); // by label
    private final Map<String, Histogram> micros =
            new TreeMap<>(); // by the label of a single fault, or one of the above
    private final Map<Count, Long> counts = new EnumMap<>(Count.class);
    private final Map<Source, Integer> stateFrom = new EnumMap<>(Source.class);
    private final List<Violation> violations = new ArrayList<>();

    /** What is counted. */
    enum Count {
        JOBS,
        RESTARTS,
        /** Ranks that were started again. */
        REPLACED,
        /** Ranks that were started twice. */
        STARTED_TWICE,
        /** How often a job that had lost all ranks began anew. */
        GENERATIONS,
        /** How often survivors founded the store anew. */
        FOUNDATIONS,
        /** Outages that were all that happened. */
        OUTAGES_ALONE,
        OUTAGES_BESIDE_FAULTS
    }

    /** An invariant that was broken. */
    record Violation(int job, String what, String logs) {}

    /**
     * All faults of one label.
     *
     * @param recovered how often what it hit went on; else it was lost
     * @param overtaken how often another fault interrupted the iteration first, and its restart prevented this one
     */
    record Faults(int injected, int recovered, int overtaken) {}

    /** Milliseconds, mostly until the last survivor was in its function again, or the job whole. */
    record Latency(long count, double p50, double p90, double p99, double max) {
        static Latency of(Histogram micros) {
            return new Latency(
                    micros.getTotalCount(),
                    micros.getValueAtPercentile(50) / 1e3,
                    micros.getValueAtPercentile(90) / 1e3,
                    micros.getValueAtPercentile(99) / 1e3,
                    micros.getMaxValue() / 1e3);
        }
    }

    /** Result of a run, as {@code --json} writes it. */
    record Report(
            Machine machine,
            long seed,
            double minutes,
            Map<Count, Long> counts,
            Map<Source, Integer> stateFrom,
            Map<String, Faults> faults,
            Map<String, Latency> latencies,
            List<Violation> violations) {}

    void add(Count what, long number) {
        counts.merge(what, number, Long::sum);
    }

    /**
     * Records a fault.
     *
     * @param hasGoneOn whether what it hit has survived
     * @param isOvertaken whether the restart for another one prevented it
     */
    void struck(String label, boolean hasGoneOn, boolean isOvertaken) {
        faults.merge(
                label,
                new Faults(1, hasGoneOn ? 1 : 0, isOvertaken ? 1 : 0),
                (all, one) ->
                        new Faults(all.injected + 1, all.recovered + one.recovered, all.overtaken + one.overtaken));
    }

    /** Records how long faults interrupted the training, by the label of a single one, or another label of this class. */
    void latency(String label, long nanos) {
        micros.computeIfAbsent(label, key -> new Histogram(DIGITS)).recordValue(Math.max(0, nanos / 1000));
    }

    /** Records how often ranks had their state from each source. */
    void recovered(Map<Source, Integer> times) {
        times.forEach((source, count) -> stateFrom.merge(source, count, Integer::sum));
    }

    void violation(int job, String what, String logs) {
        violations.add(new Violation(job, what, logs));
    }

    List<Violation> violations() {
        return violations;
    }

    Report report(Machine machine, long seed, double minutes) {
        Map<String, Latency> latencies = new HashMap<>();
        micros.forEach((label, all) -> latencies.put(label, Latency.of(all)));
        return new Report(machine, seed, minutes, counts, stateFrom, faults, latencies, violations);
    }

    /** Returns the result for people. */
    List<String> lines() {
        Table<String> table = new Table<String>()
                .column("fault                                    ", label -> label)
                .column("injected", label -> count(label, Faults::injected))
                .column("recovered", label -> count(label, Faults::recovered))
                .column("     lost", label -> count(label, all -> all.injected - all.recovered))
                .column("overtaken", label -> count(label, Faults::overtaken))
                .column(" ms: p50", label -> millis(label, Latency::p50))
                .column("     p90", label -> millis(label, Latency::p90))
                .column("     p99", label -> millis(label, Latency::p99))
                .column("     max", label -> millis(label, Latency::max));
        List<String> lines = new ArrayList<>(List.of("", table.header()));
        faults.keySet().forEach(label -> lines.add(table.line(label)));
        micros.keySet().stream()
                .filter(label -> !faults.containsKey(label))
                .forEach(label -> lines.add(table.line(label)));
        lines.add("");
        lines.add(list(counts));
        lines.add("state recovered: " + list(stateFrom));
        for (Violation violation : violations) {
            lines.add("BROKEN in job %d: %s (logs: %s)".formatted(violation.job(), violation.what(), violation.logs()));
        }
        lines.add(violations.isEmpty() ? "No invariant was broken." : violations.size() + " violations.");
        return lines;
    }

    private static String list(Map<? extends Enum<?>, ?> numbers) {
        return numbers.entrySet().stream()
                .map(each -> each.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    private String count(String label, ToDoubleFunction<Faults> part) {
        Faults all = faults.get(label);
        return all == null ? "" : "%.0f".formatted(part.applyAsDouble(all));
    }

    private String millis(String label, ToDoubleFunction<Latency> part) {
        Histogram all = micros.get(label);
        return all == null ? "" : "%.1f".formatted(part.applyAsDouble(Latency.of(all)));
    }
}
