package dev.resiliency.examples.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** The middle of several values; of an even number, between the two in the middle. */
public final class Median {
    private Median() {}

    /** The median of what the function makes of each; there must be one at least. */
    public static <T> double of(List<T> all, ToDoubleFunction<T> value) {
        double[] sorted = all.stream().mapToDouble(value).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
