package dev.resiliency.examples.demo;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Result of a job, as {@code --json} writes it.
 *
 * @param ranks number of ranks started
 * @param survivors number of ranks that finished, reserves included
 * @param steps number of steps of the training
 * @param accuracy on the held-out digits, from 0 to 1; null if no rank finished the training
 * @param restarts in order
 * @param stepsLost number of steps that had to be repeated
 * @param generation the number of the job's last generation: how often it lost all processes and went on from its
 *     checkpoint
 * @param worldSizeAtEnd number of ranks that were there at the end: those of the last iteration, and replacements that
 *     waited as spares until a rank is lost
 * @param joins the replacements that were taken in, in order
 * @param wallSeconds from the start of the first process to the end of the last
 */
record DemoReport(
        int ranks,
        int survivors,
        int steps,
        @Nullable Double accuracy,
        List<Restart> restarts,
        long stepsLost,
        int generation,
        int worldSizeAtEnd,
        List<Join> joins,
        double wallSeconds) {

    static DemoReport of(Scoreboard board, Duration wall) {
        OptionalDouble accuracy = Verdict.accuracy(board);
        return new DemoReport(
                board.scenario().ranks(),
                Verdict.survivors(board).length,
                board.scenario().steps(),
                accuracy.isPresent() ? accuracy.getAsDouble() : null,
                board.recoveries().restarts(),
                board.recoveries().stepsLost(),
                board.recoveries().generation(),
                Verdict.worldSizeAtEnd(board),
                board.recoveries().joins(),
                wall.toMillis() / 1e3);
    }
}
