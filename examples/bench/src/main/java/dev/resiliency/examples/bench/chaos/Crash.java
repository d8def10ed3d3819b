package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Stage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The death of a process on its way into the job.
 *
 * @param after the stage that it reaches before; null for its launch
 * @param delay how long after that it is killed
 */
record Crash(@Nullable Stage after, Duration delay) {

    /** Returns when this process is due to be killed; null until that is known. */
    @Nullable
    Long due(ProcessView process) {
        Long reached = after == null ? (Long) process.launchedAt : process.reached(after);
        return reached == null ? null : (Long) (reached + delay.toNanos());
    }
}
