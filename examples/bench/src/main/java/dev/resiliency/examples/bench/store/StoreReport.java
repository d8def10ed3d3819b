package dev.resiliency.examples.bench.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.examples.bench.measure.Table;
import dev.resiliency.examples.bench.store.MeasuredServer.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Result of a run, as {@code --json} writes it.
 *
 * @param machine the machine that it ran on
 * @param clients number of clients
 * @param rounds number of counted rounds, after one to warm up
 * @param figures all measured figures
 */
record StoreReport(Machine machine, int clients, int rounds, List<Row> figures) {
    private static final Table<Row> TABLE = new Table<Row>()
            .column("                         ", Row::title)
            .column(" × floor", row -> row.ratioToFloor == null ? "" : "%.2f".formatted(row.ratioToFloor))
            .column("goal              ", Row::judgement)
            .column("              ours", row -> row.cell("ours"))
            .column("       floor", row -> row.cell("floor"));

    /**
     * One figure of one server in one round.
     *
     * @param value in the figure's unit
     * @param p50Micros the median time of a request; null for events
     * @param p99Micros the 99th percentile of the time of a request
     * @param cpuMillis CPU time of the server meanwhile; null if meaningless
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Sample(
            double value,
            @Nullable Double p50Micros,
            @Nullable Double p99Micros,
            @Nullable Long cpuMillis) {}

    /** All samples. */
    static final class Samples {
        private final Map<Figure, Map<Kind, List<Sample>>> samples = new EnumMap<>(Figure.class);

        void add(Figure figure, Kind server, Sample sample) {
            samples.computeIfAbsent(figure, unused -> new EnumMap<>(Kind.class))
                    .computeIfAbsent(server, unused -> new ArrayList<>())
                    .add(sample);
        }

        void clear() {
            samples.clear();
        }
    }

    /**
     * One figure.
     *
     * @param ratioToFloor our median divided by the floor's
     * @param goal the goal with 16,384 clients
     * @param servers results by name of the server
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Row(
            String name,
            String title,
            String unit,
            @Nullable Double ratioToFloor,
            @Nullable String goal,
            @Nullable Boolean isMet,
            Map<String, Result> servers) {

        static Row of(Figure figure, Map<Kind, List<Sample>> samples) {
            Map<String, Result> servers = new LinkedHashMap<>();
            samples.forEach((kind, measured) -> servers.put(kind.toString(), Result.of(measured)));
            Result ours = servers.get("ours");
            Result floor = servers.get("floor");
            Double median = ours == null ? null : (Double) ours.median;
            Double ratio = median == null || floor == null ? null : (Double) (median / floor.median);
            return new Row(
                    figure.name(),
                    figure.title(),
                    figure.unit(),
                    ratio,
                    figure.goal(),
                    figure.isMet(median, ratio),
                    servers);
        }

        private String judgement() {
            return goal == null ? "" : goal + (isMet == null ? "" : isMet ? " ok" : " no");
        }

        private String cell(String server) {
            Result result = servers.get(server);
            return result == null
                    ? ""
                    : switch (unit) {
                        case "µs" -> "%.0f / %.0f µs".formatted(result.p50Micros, result.p99Micros);
                        case "ms" -> "%.0f ms (%.0f)".formatted(result.median, result.cpuMillis);
                        case "/s" -> "%,.0f /s".formatted(result.median);
                        default -> "%.1f %s".formatted(result.median, unit);
                    };
        }
    }

    /** One figure of one server: the medians over the rounds. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Result(
            double median,
            @Nullable Double p50Micros,
            @Nullable Double p99Micros,
            @Nullable Double cpuMillis,
            List<Sample> samples) {

        static Result of(List<Sample> samples) {
            return new Result(
                    Median.of(samples, Sample::value),
                    median(samples, Sample::p50Micros),
                    median(samples, Sample::p99Micros),
                    median(samples, Sample::cpuMillis),
                    samples);
        }

        private static @Nullable Double median(
                List<Sample> samples, Function<Sample, ? extends @Nullable Number> part) {
            List<Number> values = new ArrayList<>();
            for (Sample sample : samples) {
                Number value = part.apply(sample);
                if (value != null) {
                    values.add(value);
                }
            }
            return values.isEmpty() ? null : (Double) Median.of(values, Number::doubleValue);
        }
    }

    static StoreReport of(Machine machine, int clients, int rounds, Samples samples) {
        List<Row> rows = new ArrayList<>();
        samples.samples.forEach((figure, measured) -> rows.add(Row.of(figure, measured)));
        return new StoreReport(machine, clients, rounds, rows);
    }

    /** Returns the report for people. */
    List<String> lines() {
        String headline = "%,d clients, medians of %d rounds after one to warm up".formatted(clients, rounds);
        List<String> lines = new ArrayList<>(List.of(headline, machine.toString(), "", TABLE.header()));
        figures.forEach(row -> lines.add(TABLE.line(row)));
        lines.addAll(List.of("", "With µs: p50 / p99 of a request. With ms, in brackets: CPU time of the server."));
        return lines;
    }
}
