package dev.resiliency.inprocess;

import dev.resiliency.inprocess.spi.stack.Standing;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The cause of the interruption of an iteration. Corresponds to nvidia-resiliency-ext's {@code InterruptionRecord}.
 *
 * @param rank the initial rank of the process that failed; with {@link Kind#SCALE_UP}, of the one that interrupted the
 *     iteration or chose the safe point
 * @param kind what happened
 * @param time when it was recorded, by the clock of the host that did, for display only; null where the store recorded
 *     it, or a rank that only misses this one
 * @param message one line of detail for people, such as the exception; may be empty
 * @param standing where the function stood if it made no progress or memory had run out; null if nobody knows
 * @since 0.1.0
 */
public record Interruption(
        int rank,
        Kind kind,
        @Nullable Instant time,
        String message,
        @Nullable Standing standing) {

    /** Creates one that says nothing of where the function stood. */
    public Interruption(int rank, Kind kind, @Nullable Instant time, String message) {
        this(rank, kind, time, message, null);
    }

    /** The kinds of causes. */
    public enum Kind {
        /** The function or an initialize hook threw. */
        EXCEPTION,
        /**
         * The function threw what one throws whose connection has ended or is silent, such as an {@link java.io.EOFException}. If another
         * rank has failed in the same iteration, this one has followed.
         */
        CONNECTION_LOST,
        /**
         * Memory has run out in the process, such as for a thread that loads data, and the function made no progress for the soft
         * timeout, or another rank did not that waited for it.
         */
        OUT_OF_MEMORY,
        /**
         * The function made no progress for the soft timeout, and another rank did not that it waited for: in a socket, for another
         * thread, or as it said with {@link CallWrapper#waitsForPeers}. Or another rank has failed meanwhile. So this one has followed.
         */
        WAITING,
        /**
         * The function made no progress for the soft timeout. If others made none, either, it is one that they waited for; or all waited,
         * and none stands out.
         */
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
        MONITOR_PROCESS_LOST,
        /** The rank could not begin, and would not the next time either: its host or its options must change first. */
        CANNOT_RUN,
        /** No fault: processes wait to join, and the rank interrupted the iteration to take them in. */
        SCALE_UP,
        /** No fault: the rank leaves on purpose, at a safe point or with a restart that came first. */
        LEAVING,
        /**
         * No fault: all ranks were to stop at a safe point, but the rank had passed it, or others had not come to it in
         * time; the iteration was interrupted instead.
         */
        SAFE_POINT_MISSED;

        /** Returns whether something has failed: the others are occasions on which a job changes by intent. */
        public boolean isFault() {
            return switch (this) {
                case EXCEPTION,
                        CONNECTION_LOST,
                        OUT_OF_MEMORY,
                        WAITING,
                        SOFT_TIMEOUT,
                        HARD_TIMEOUT,
                        TERMINATED,
                        TERMINATED_BY_RANK,
                        COMPLETION_TIMEOUT,
                        MONITOR_PROCESS_LOST,
                        CANNOT_RUN -> true;
                case SCALE_UP, LEAVING, SAFE_POINT_MISSED -> false;
            };
        }

        /** Returns whether the rank has only followed, if another one has failed in the same iteration. */
        public boolean isFollowing() {
            return this == CONNECTION_LOST || this == WAITING;
        }

        /** Returns the kind with the ranks it concerns, as in {@code EXCEPTION on rank 2}. */
        String of(String ranks) {
            return switch (this) {
                case SCALE_UP -> this + " by " + ranks;
                case LEAVING -> this + " of " + ranks;
                default -> this + " on " + ranks;
            };
        }
    }

    /** Returns a text for logs: {@code EXCEPTION on rank 2 (java.io.IOException: no route)}. */
    @Override
    public String toString() {
        return kind.of("rank " + rank) + (message.isEmpty() ? "" : " (" + message + ")");
    }
}
