package dev.resiliency.inprocess.spi;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.protocol.AgentsJob;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * A job of wrapped functions, as the agent sees it that starts its processes: the first call of a wrapper in each of them.
 * Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface LaunchedJob {
    /** The environment variable by which a process learns for which {@linkplain #promise promise} it was started. */
    String PROMISE_VARIABLE = "RESILIENCY_PROMISE";

    /**
     * Returns a job.
     *
     * @param store a session of the agent in the job's store, for this alone: its last will breaks the promises
     * @param jobId see {@link dev.resiliency.inprocess.Environment#jobId}
     * @param worldSize the {@code WORLD_SIZE} of its processes
     */
    static LaunchedJob of(SessionStore store, String jobId, int worldSize) {
        return AgentsJob.of(store, jobId, worldSize);
    }

    /**
     * Returns an operation that ends its batch if the job is complete: what comes after it is not done then.
     *
     * @param jobId see {@link dev.resiliency.inprocess.Environment#jobId}; the batch is one of a store without a prefix
     */
    static Operation<?> confirmThatItIsOpen(String jobId) {
        return AgentsJob.confirmThatItIsOpen(jobId);
    }

    /** Returns the key, in a store without a prefix, of which a copy tells {@link #foundedAnew} how far the job was. */
    static String generationKey(String jobId) {
        return AgentsJob.generationKey(jobId);
    }

    /**
     * Returns what makes processes that start on a store which was founded anew the next generation of a job.
     *
     * @param generation the copy of {@link #generationKey}
     * @param iteration the last that is known; -1 if none is
     * @param lost the ranks that nobody waits for
     */
    static List<Operation<?>> foundedAnew(String jobId, String generation, int iteration, IndexSet lost) {
        return AgentsJob.foundedAnew(jobId, generation, iteration, lost);
    }

    /** Returns whether a process has ever taken part in the job, as one with a wrapper does before it runs its function. */
    CompletableFuture<Boolean> hasBegun();

    /**
     * Waits until no process can take the place of a founder any more: each {@code RANK} of the current generation, or of
     * the next if that one is over, has its process, or its first world is decided. A process that starts afterwards joins.
     *
     * @param limit how long to wait; then the future fails with {@link dev.resiliency.store.StoreTimeoutException}
     */
    CompletableFuture<Void> founded(Duration limit);

    /**
     * Promises that a process will join: the others, if they wait for a replacement, then wait for it. Kept when that process
     * joins with the number in {@link #PROMISE_VARIABLE}; broken when the session ends without a goodbye.
     *
     * @return the number; empty if the job has not begun or is complete, so that no one waits
     */
    CompletableFuture<OptionalInt> promise();

    /**
     * Passes on from now on why iterations are interrupted, and when others begin; for as long as the session lasts. Costs a
     * message for each, so that one agent should watch for all. Does not change the last will of the session.
     *
     * @param listener is called by a thread of the store, and must not block
     */
    void watch(Listener listener);

    /** Receives what becomes of a job. */
    interface Listener {
        /** An iteration has begun. */
        void began(int iteration);

        /**
         * An iteration is interrupted.
         *
         * @param iteration {@code -1}, or that of the generation before, if it is interrupted before the first
         * @param interruptions all that is recorded until now, in the order in which the store has received it
         */
        void interrupted(int iteration, List<Interruption> interruptions);
    }
}
