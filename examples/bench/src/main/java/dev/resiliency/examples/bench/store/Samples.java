package dev.resiliency.examples.bench.store;

import dev.resiliency.examples.bench.measure.Median;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects all samples. */
final class Samples {
    private final Map<Figure, Map<Target.ServerKind, List<Sample>>> samples = new EnumMap<>(Figure.class);

    void add(Figure figure, Target.ServerKind server, Sample sample) {
        samples.computeIfAbsent(figure, unused -> new EnumMap<>(Target.ServerKind.class))
                .computeIfAbsent(server, unused -> new ArrayList<>())
                .add(sample);
    }

    void clear() {
        samples.clear();
    }

    List<Sample> of(Figure figure, Target.ServerKind server) {
        return samples.getOrDefault(figure, Map.of()).getOrDefault(server, List.of());
    }

    /** Returns the median over the rounds; empty if it was not measured. */
    OptionalDouble median(Figure figure, Target.ServerKind server, Function<Sample, ? extends @Nullable Number> part) {
        List<Number> measured = new ArrayList<>();
        for (Sample sample : of(figure, server)) {
            Number value = part.apply(sample);
            if (value != null) {
                measured.add(value);
            }
        }
        return measured.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Median.of(measured, Number::doubleValue));
    }

    OptionalDouble median(Figure figure, Target.ServerKind server) {
        return median(figure, server, Sample::value);
    }

    /** Returns our figure divided by that of another server. */
    OptionalDouble ratio(Figure figure, Target.ServerKind server) {
        OptionalDouble ours = median(figure, Target.ServerKind.OURS);
        OptionalDouble other = median(figure, server);
        return ours.isPresent() && other.isPresent() && other.getAsDouble() > 0
                ? OptionalDouble.of(ours.getAsDouble() / other.getAsDouble())
                : OptionalDouble.empty();
    }
}
