package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Table;
import dev.resiliency.state.RecoveryReport.Source;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Counts the results of a run, and writes them for people and for programs. Confined to the thread of the run. */
final class Tally {
    static final String SEVERAL = "several at once";
    /** The label of faults after which no member of the job was left. */
    static final String ALL = "all ranks, in a new generation";

    static final String FULL_WORLD = "after a loss, until the full world trains";

    private static final int DIGITS = 3;
    private final Map<String, Row> rows = new TreeMap<>(); // by the label of the faults
    private final Map<String, Histogram> micros = new HashMap<>(); // by label
    private final Map<Count, Long> counts = new EnumMap<>(Count.class);
    private final Map<Disturbance, Integer> disturbances = new EnumMap<>(Disturbance.class);
    private final Map<Source, Integer> stateFrom = new EnumMap<>(Source.class);
    private final List<Violation> violations = new ArrayList<>();

    /** What is counted. */
    enum Count {
        JOBS,
        RESTARTS,
        /** Jobs that ended because the host of their store was lost. */
        STORE_LOSSES,
        /** Ranks that were started again. */
        REPLACED,
        /** How often a job that had lost all ranks began anew. */
        GENERATIONS,
        /** Outages that were all that happened. */
        OUTAGES_ALONE,
        OUTAGES_BESIDE_FAULTS,
        /** Processes that do not belong to their job. */
        PROCESSES_REFUSED,
        /** What neighbours have written and read. */
        NEIGHBOUR_BYTES;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** An invariant that was broken. */
    record Violation(int job, String what, String logs) {}

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

    /**
     * All faults of one label.
     *
     * @param overtaken how often another fault interrupted the iteration first, and its restart prevented this one
     * @param latency null unless they came alone: of several at once the cost of each is unknown
     */
    record Row(
            String fault,
            int injected,
            int recovered,
            int expectedToRecover,
            int lost,
            int expectedToBeLost,
            int overtaken,
            @Nullable Latency latency) {

        private Row plus(boolean isDeadly, boolean hasGoneOn, boolean isOvertaken) {
            return new Row(
                    fault,
                    injected + 1,
                    recovered + (hasGoneOn ? 1 : 0),
                    expectedToRecover + (isDeadly ? 0 : 1),
                    lost + (hasGoneOn ? 0 : 1),
                    expectedToBeLost + (isDeadly ? 1 : 0),
                    overtaken + (isOvertaken ? 1 : 0),
                    null);
        }

        private Row with(@Nullable Latency times) {
            return new Row(fault, injected, recovered, expectedToRecover, lost, expectedToBeLost, overtaken, times);
        }
    }

    void add(Count what, long number) {
        counts.merge(what, number, Long::sum);
    }

    long count(Count what) {
        return counts.getOrDefault(what, 0L);
    }

    /**
     * Records a fault.
     *
     * @param hasGoneOn whether what it hit has survived
     * @param isOvertaken whether the restart for another one prevented it
     */
    void struck(String label, boolean isDeadly, boolean hasGoneOn, boolean isOvertaken) {
        Row before = rows.computeIfAbsent(label, key -> new Row(label, 0, 0, 0, 0, 0, 0, null));
        rows.put(label, before.plus(isDeadly, hasGoneOn, isOvertaken));
    }

    /** Records how long faults interrupted the training, by the label of a single one, or another label of this class. */
    void latency(String label, long nanos) {
        micros.computeIfAbsent(label, key -> new Histogram(DIGITS)).recordValue(Math.max(0, nanos / 1000));
    }

    /** Records an outage that is over. */
    void outage(boolean isAlone) {
        disturbed(Disturbance.OUTAGE);
        add(isAlone ? Count.OUTAGES_ALONE : Count.OUTAGES_BESIDE_FAULTS, 1);
    }

    /** Records that a disturbance has begun. */
    void disturbed(Disturbance kind) {
        disturbances.merge(kind, 1, Integer::sum);
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

    /** Returns how often each disturbance has happened; those that have not are absent. */
    Map<Disturbance, Integer> disturbances() {
        return disturbances;
    }

    private int injected() {
        return rows.values().stream().mapToInt(Row::injected).sum();
    }

    private int stateFrom(Source source) {
        return stateFrom.getOrDefault(source, 0);
    }

    private @Nullable Latency latency(String label) {
        Histogram all = micros.get(label);
        return all == null ? null : Latency.of(all);
    }

    private List<Row> rows() {
        return rows.values().stream().map(row -> row.with(latency(row.fault))).toList();
    }

    /** Returns the result as {@code --json} writes it. */
    Map<String, @Nullable Object> report(Machine machine, long seed, double minutes) {
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        report.put("machine", machine);
        report.put("seed", seed);
        report.put("minutes", minutes);
        report.put("faults", injected());
        for (Count what : Count.values()) {
            report.put(camelCase(what.toString()), count(what));
        }
        report.put("stateFrom", stateFrom);
        report.put(
                "disturbances",
                disturbances.entrySet().stream()
                        .collect(Collectors.toMap(each -> each.getKey().toString(), Map.Entry::getValue)));
        report.put("rows", rows());
        report.put("severalAtOnce", latency(SEVERAL));
        report.put("allAtOnce", latency(ALL));
        report.put("fullWorld", latency(FULL_WORLD));
        report.put("violations", violations);
        return report;
    }

    private static String camelCase(String words) {
        StringBuilder name = new StringBuilder();
        for (String word : words.split(" ", -1)) {
            name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return name.toString();
    }

    /** Returns the result for people. */
    List<String> lines() {
        Table<Row> table = new Table<Row>()
                .column("fault                                    ", Row::fault)
                .column("injected", row -> row.injected == 0 ? "" : "" + row.injected)
                .column("recovered / expected", row -> ofExpected(row, row.recovered, row.expectedToRecover))
                .column(" lost / expected", row -> ofExpected(row, row.lost, row.expectedToBeLost))
                .column(" overtaken", row -> row.injected == 0 ? "" : "" + row.overtaken)
                .column(" ms: p50", row -> millis(row, Latency::p50))
                .column("     p90", row -> millis(row, Latency::p90))
                .column("     p99", row -> millis(row, Latency::p99))
                .column("     max", row -> millis(row, Latency::max));
        List<String> lines = new ArrayList<>(List.of("", table.header()));
        rows().forEach(row -> lines.add(table.line(row)));
        for (String label : List.of(SEVERAL, ALL, FULL_WORLD)) {
            if (micros.containsKey(label)) {
                lines.add(table.line(new Row(label, 0, 0, 0, 0, 0, 0, latency(label))));
            }
        }
        lines.add("");
        lines.add(injected() + " faults; "
                + counts.entrySet().stream()
                        .map(each -> each.getKey() + ": " + each.getValue())
                        .collect(Collectors.joining(", ")));
        lines.add("State recovered %d times from memory, %d times from peers, %d times from the checkpoint"
                .formatted(stateFrom(Source.MEMORY), stateFrom(Source.PEERS), stateFrom(Source.CHECKPOINT)));
        if (!disturbances.isEmpty()) {
            lines.add(disturbances.entrySet().stream()
                    .map(each -> each.getValue() + " " + each.getKey().plural())
                    .collect(Collectors.joining(", ", "Around them: ", "")));
        }
        for (Violation violation : violations) {
            lines.add("BROKEN in job %d: %s (logs: %s)".formatted(violation.job(), violation.what(), violation.logs()));
        }
        lines.add(violations.isEmpty() ? "No invariant was broken." : violations.size() + " violations.");
        return lines;
    }

    private static String ofExpected(Row row, int number, int expected) {
        return row.injected == 0 ? "" : number + " / " + expected;
    }

    private static String millis(Row row, ToDoubleFunction<Latency> part) {
        return row.latency == null ? "" : "%.1f".formatted(part.applyAsDouble(row.latency));
    }
}
