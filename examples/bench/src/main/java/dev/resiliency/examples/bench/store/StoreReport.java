package dev.resiliency.examples.bench.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.examples.bench.measure.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
            .column("    median", row -> row.cell(row.median))
            .column("       min", row -> row.cell(row.min()))
            .column("       max", row -> row.cell(row.max()))
            .column("   unit", Row::unit)
            .column("  floor", row -> row.floor == null ? "" : row.cell(row.floor))
            .column(" × floor", row -> row.ratioToFloor == null ? "" : "%.2f".formatted(row.ratioToFloor))
            .column("  goal              ", row -> row.goal == null ? "" : row.goal + (row.isMet ? " ok" : " no"));

    /**
     * One figure.
     *
     * @param floor the floor's median
     * @param ratioToFloor our median divided by that
     * @param goal the goal with 16,384 clients
     * @param samples ours
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Row(
            String name,
            String title,
            String unit,
            double median,
            @Nullable Double floor,
            @Nullable Double ratioToFloor,
            @Nullable String goal,
            boolean isMet,
            List<Double> samples) {

        static Row of(Figure figure, List<Double> ours, @Nullable List<Double> floors) {
            double median = Median.of(ours, Double::doubleValue);
            Double floor = floors == null ? null : (Double) Median.of(floors, Double::doubleValue);
            Double ratio = floor == null ? null : (Double) (median / floor);
            return new Row(
                    figure.name(),
                    figure.title(),
                    figure.unit(),
                    median,
                    floor,
                    ratio,
                    figure.goal(),
                    figure.isMet(median, ratio),
                    ours);
        }

        private double min() {
            return samples.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        }

        private double max() {
            return samples.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        }

        private String cell(double value) {
            return "%,.1f".formatted(value);
        }
    }

    /** Reports samples of each figure, in its unit: a number for each round or event, of our server and of the floor. */
    static StoreReport of(
            Machine machine,
            int clients,
            int rounds,
            Map<Figure, List<Double>> samples,
            Map<Figure, List<Double>> floors) {
        List<Row> rows = new ArrayList<>();
        samples.forEach((figure, ours) -> rows.add(Row.of(figure, ours, floors.get(figure))));
        return new StoreReport(machine, clients, rounds, rows);
    }

    /** Returns the report for people. */
    List<String> lines() {
        String headline = "%,d clients, %d rounds after one to warm up".formatted(clients, rounds);
        List<String> lines = new ArrayList<>(List.of(headline, machine.toString(), "", TABLE.header()));
        figures.forEach(row -> lines.add(TABLE.line(row)));
        return lines;
    }
}
