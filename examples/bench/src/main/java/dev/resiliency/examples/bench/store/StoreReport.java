package dev.resiliency.examples.bench.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.resiliency.examples.bench.measure.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Result of a run, as {@code --json} writes it.
 *
 * @param machine the machine that it ran on
 * @param clients number of clients
 * @param rounds number of counted rounds, after one to warm up
 * @param figures all measured figures
 */
record StoreReport(Machine machine, int clients, int rounds, List<FigureResult> figures) {

    /**
     * One figure.
     *
     * @param name name of the {@link Figure}
     * @param title title in the table
     * @param unit of the medians
     * @param ratioToPeer our median divided by the peer's
     * @param ratioToFloor our median divided by the floor's
     * @param goal the goal with 16,384 clients
     * @param isMet whether the goal is met
     * @param servers results by name of the server
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record FigureResult(
            String name,
            String title,
            String unit,
            @Nullable Double ratioToPeer,
            @Nullable Double ratioToFloor,
            @Nullable String goal,
            @Nullable Boolean isMet,
            Map<String, Server> servers) {}

    /**
     * One figure of one server: the medians over the rounds, and their components.
     *
     * @param median in the unit of the figure
     * @param p50Micros the median time of a request
     * @param p99Micros the 99th percentile of the time of a request
     * @param cpuMillis CPU time of the server meanwhile
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Server(
            double median,
            @Nullable Double p50Micros,
            @Nullable Double p99Micros,
            @Nullable Double cpuMillis,
            List<Sample> samples) {}

    static StoreReport of(Machine machine, int clients, int rounds, Samples samples) {
        List<FigureResult> rows = new ArrayList<>();
        for (Figure figure : Figure.values()) {
            Map<String, Server> servers = new LinkedHashMap<>();
            for (Target.ServerKind kind : Target.ServerKind.values()) {
                server(samples, figure, kind).ifPresent(server -> servers.put(kind.title(), server));
            }
            if (!servers.isEmpty()) {
                rows.add(row(samples, figure, servers));
            }
        }
        return new StoreReport(machine, clients, rounds, rows);
    }

    private static FigureResult row(Samples samples, Figure figure, Map<String, Server> servers) {
        Optional<Goal> goal = figure.goal();
        OptionalDouble judged = goal.isPresent() ? goal.get().judged(samples, figure) : OptionalDouble.empty();
        return new FigureResult(
                figure.name(),
                figure.title(),
                figure.unit(),
                orNull(samples.ratio(figure, Target.ServerKind.PEER)),
                orNull(samples.ratio(figure, Target.ServerKind.FLOOR)),
                goal.map(Goal::toString).orElse(null),
                judged.isPresent() ? (Boolean) goal.orElseThrow().isMetBy(judged.getAsDouble()) : null,
                servers);
    }

    private static Optional<Server> server(Samples samples, Figure figure, Target.ServerKind kind) {
        OptionalDouble median = samples.median(figure, kind);
        return median.isEmpty()
                ? Optional.empty()
                : Optional.of(new Server(
                        median.getAsDouble(),
                        orNull(samples.median(figure, kind, Sample::p50Micros)),
                        orNull(samples.median(figure, kind, Sample::p99Micros)),
                        orNull(samples.median(figure, kind, Sample::cpuMillis)),
                        samples.of(figure, kind)));
    }

    private static @Nullable Double orNull(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }
}
