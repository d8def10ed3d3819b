package dev.resiliency.examples.demo;

import dev.resiliency.examples.job.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What came of a job, for {@code --json}.
 *
 * @param ranks how many were started
 * @param survivors how many have come to the end, spares included
 * @param steps how many steps the training had
 * @param accuracy on the held-out digits, from 0 to 1; null if no rank has trained to the end
 * @param restarts in their order
 * @param wallSeconds from the start of the first process to the end of the last
 */
record DemoReport(
        int ranks, int survivors, int steps, @Nullable Double accuracy, List<Restart> restarts, double wallSeconds) {

    static DemoReport of(Scoreboard board, Duration wall) {
        OptionalDouble accuracy = Verdict.accuracy(board);
        return new DemoReport(
                board.scenario().ranks(),
                Verdict.survivors(board).length,
                board.scenario().steps(),
                accuracy.isPresent() ? accuracy.getAsDouble() : null,
                board.restarts(),
                wall.toMillis() / 1e3);
    }

    void write(Path file) throws IOException {
        Json.MAPPER.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), this);
    }
}
