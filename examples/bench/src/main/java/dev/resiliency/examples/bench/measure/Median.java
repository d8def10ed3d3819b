package dev.resiliency.examples.bench.measure;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Computes the median; of an even number of values, the mean of the two in the middle. */
public final class Median {
    private Median() {}

    /** Returns the median of a whole number of each element. */
    public static <T> long nanos(List<T> all, ToLongFunction<T> value) {
        return (long) of(all, value::applyAsLong);
    }

    /** Returns the median of the function over all elements; there must be at least one. */
    public static <T> double of(List<T> all, ToDoubleFunction<T> value) {
        double[] sorted = all.stream().mapToDouble(value).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
