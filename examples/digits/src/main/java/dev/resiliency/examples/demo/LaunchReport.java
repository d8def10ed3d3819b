package dev.resiliency.examples.demo;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Result of a launched job, as {@code --json} writes it.
 *
 * @param nodes number of nodes at the end
 * @param worldSize number of ranks that train
 * @param worldSizeAtEnd number of processes that were there at the end: those that trained, and reserves
 * @param replacements number of processes that were started in the place of others
 * @param nodesLost number of nodes that were lost, and came again
 * @param cycles how often all ranks of all nodes were started again: never
 * @param steps number of steps of the training
 * @param stepsLost number of steps that had to be repeated
 * @param accuracy on the held-out digits, from 0 to 1; null if no rank finished the training
 * @param restarts in order
 * @param wallSeconds from the start of the first process to the end of the last
 */
record LaunchReport(
        int nodes,
        int worldSize,
        int worldSizeAtEnd,
        int replacements,
        int nodesLost,
        long cycles,
        int steps,
        long stepsLost,
        @Nullable Double accuracy,
        List<Restart> restarts,
        double wallSeconds) {

    static LaunchReport of(LaunchPlan plan, Scoreboard board, LaunchTally tally, Duration wall) {
        OptionalDouble accuracy = Verdict.accuracy(board);
        return new LaunchReport(
                plan.nodes(),
                plan.worldSize(),
                Verdict.worldSizeAtEnd(board),
                tally.replacements(),
                tally.nodesLost(),
                tally.cycles(),
                plan.steps(),
                board.recoveries().stepsLost(),
                accuracy.isPresent() ? accuracy.getAsDouble() : null,
                board.recoveries().restarts(),
                wall.toMillis() / 1e3);
    }

    /** Returns the lines to print at the end. */
    List<String> summary(LaunchPlan plan) {
        return List.of(
                "",
                "%d steps in %.1f s on %d nodes: %d of %d processes were there at the end, %d of them trained"
                        .formatted(steps, wallSeconds, nodes, worldSizeAtEnd, plan.processes(), worldSize),
                accuracy == null
                        ? "no rank has finished"
                        : "%.1f %% of the held-out digits are classified correctly".formatted(100 * accuracy),
                "%d processes and %d nodes were replaced; STEPS LOST: %d"
                        .formatted(replacements, nodesLost, stepsLost));
    }
}
