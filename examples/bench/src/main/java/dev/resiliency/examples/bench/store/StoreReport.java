package dev.resiliency.examples.bench.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.examples.bench.measure.Table;
import java.util.ArrayList;
import java.util.Collections;
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
            .column("    median", row -> cell(row.median))
            .column("       min", row -> cell(Collections.min(row.samples)))
            .column("       max", row -> cell(Collections.max(row.samples)))
            .column("   unit", Row::unit)
            .column("  floor", row -> row.floor == null ? "" : cell(row.floor))
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
    }

    private static String cell(double value) {
        return "%,.1f".formatted(value);
    }

    /** Returns the rows of samples in the unit of their figure: a number for each round or event, of our server and of the floor. */
    static List<Row> rows(Map<Figure, List<Double>> samples, Map<Figure, List<Double>> floors) {
        List<Row> rows = new ArrayList<>();
        samples.forEach((figure, ours) -> rows.add(Row.of(figure, ours, floors.get(figure))));
        return rows;
    }

    /** Returns the report for people. */
    List<String> lines() {
        String headline = "%,d clients, %d rounds after one to warm up; %s".formatted(clients, rounds, machine);
        return TABLE.lines(headline, figures);
    }
}
