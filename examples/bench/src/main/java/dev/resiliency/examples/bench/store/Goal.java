package dev.resiliency.examples.bench.store;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Goal of this project for a figure, with 16,384 clients.
 *
 * @param against the server whose figure ours is divided by; null if the goal is for the figure itself
 * @param isUpper whether the limit is the upper one, otherwise the lower one
 */
record Goal(Target.@Nullable ServerKind against, boolean isUpper, double limit) {
    static Goal atMost(double limit, Target.ServerKind against) {
        return new Goal(against, true, limit);
    }

    static Goal atLeast(double limit, Target.ServerKind against) {
        return new Goal(against, false, limit);
    }

    static Goal atMost(double limit) {
        return new Goal(null, true, limit);
    }

    /** Returns the value to compare with the limit; empty if it was not measured. */
    OptionalDouble judged(Samples samples, Figure figure) {
        return against == null ? samples.median(figure, Target.ServerKind.OURS) : samples.ratio(figure, against);
    }

    boolean isMetBy(double value) {
        return isUpper ? value <= limit : value >= limit;
    }

    /** Returns a text such as {@code ≤ 1.15 × floor}. */
    @Override
    public String toString() {
        String number = limit == Math.rint(limit) ? Long.toString((long) limit) : Double.toString(limit);
        return (isUpper ? "≤ " : "≥ ") + number + (against == null ? "" : " × " + against.title());
    }
}
