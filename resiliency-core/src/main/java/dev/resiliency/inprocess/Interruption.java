package dev.resiliency.inprocess;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The cause of the interruption of an iteration. Corresponds to nvidia-resiliency-ext's {@code InterruptionRecord}.
 *
 * @param rank the initial rank of the process that failed
 * @param kind what happened
 * @param time when it was recorded, by the clock of the host that did, for display only; null where the store itself
 *     recorded it
 * @param message one line of detail, such as the exception; may be empty
 * @since 0.1.0
 */
public record Interruption(int rank, Kind kind, @Nullable Instant time, String message) {

    /** The kinds of causes. */
    public enum Kind {
        /** The function or an initialize hook threw. */
        EXCEPTION,
        /** The function made no progress for the soft timeout. */
        SOFT_TIMEOUT,
        /** The process made no progress for the hard timeout and was ended. */
        HARD_TIMEOUT,
        /** The process died, or its host was silent for the heartbeat timeout. */
        TERMINATED,
        /** The rank left the job. */
        TERMINATED_BY_RANK,
        /** The rank timed out waiting for others to complete. */
        COMPLETION_TIMEOUT,
        /** The monitor process of the rank died, and the rank left because of that. */
        MONITOR_PROCESS_LOST
    }

    /** Returns a text for logs: {@code EXCEPTION on rank 2 (java.io.IOException: no route)}. */
    @Override
    public String toString() {
        return kind + " on rank " + rank + (message.isEmpty() ? "" : " (" + message + ")");
    }
}
