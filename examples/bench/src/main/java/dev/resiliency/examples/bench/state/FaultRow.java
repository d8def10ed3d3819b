package dev.resiliency.examples.bench.state;

import dev.resiliency.examples.bench.measure.Median;
import java.util.List;

/**
 * How much training a fault costs.
 *
 * @param replacement what takes the place of the lost rank
 * @param isLive whether the state is recovered from memory; else from the checkpoint
 * @param seconds the median over all runs, from the kill until the full world has completed the step after the last one
 *     before, less the time that this step takes
 * @param stepsRepeated the median number of steps that were made twice
 * @param runs the single runs
 */
record FaultRow(String replacement, boolean isLive, double seconds, double stepsRepeated, List<Run> runs) {

    /** One run. */
    record Run(long nanosLost, long stepsRepeated) {}

    static FaultRow of(String replacement, boolean isLive, List<Run> runs) {
        return new FaultRow(
                replacement,
                isLive,
                Median.of(runs, Run::nanosLost) / 1e9,
                Median.of(runs, Run::stepsRepeated),
                List.copyOf(runs));
    }

    static String header() {
        return "%11s %10s %4s | %13s %14s".formatted("replacement", "state", "runs", "seconds lost", "steps repeated");
    }

    String row() {
        return "%11s %10s %4d | %13.3f %14.0f"
                .formatted(replacement, isLive ? "memory" : "checkpoint", runs.size(), seconds, stepsRepeated);
    }
}
