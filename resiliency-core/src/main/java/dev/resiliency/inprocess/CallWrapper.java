package dev.resiliency.inprocess;

import dev.resiliency.store.Store;

/**
 * The wrapped function's access to its wrapper during one iteration. Corresponds to nvidia-resiliency-ext's {@code
 * CallWrapper}.
 *
 * <p>Each iteration has its own. Once its restart has begun, every method but {@link #state}, {@link #iteration} and
 * {@link #store} throws {@link RestartSignal}, so a worker that was left behind can do no further harm through it; only
 * a thread inside an {@link #atomic} section is exempt until it leaves the section. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface CallWrapper {

    /** Returns this rank's role in this iteration. */
    State state();

    /** Returns how many times the function was called before: 0 the first time. */
    default int iteration() {
        return state().iteration();
    }

    /**
     * Returns the job's store under a prefix of this iteration: ranks can exchange addresses through it, and keys of
     * earlier iterations are not visible. Its keys are deleted two restarts later.
     */
    Store store();

    /**
     * Reports progress: the manual heartbeat. From the first one of an iteration on, a pause longer than the soft
     * timeout counts as a hang. Costs a few nanoseconds and allocates nothing.
     */
    void ping();

    /** Throws {@link RestartSignal} if the iteration must end; for code that does not ping. */
    void checkRestart();

    /**
     * Enters a section that a restart does not interrupt, such as writing a checkpoint: the restart waits for its end.
     * Reentrant; the thread that entered it must close it. Other threads that enter meanwhile wait.
     */
    AtomicSection atomic();

    /**
     * Registers an action that unblocks the function when the iteration must end, such as closing a socket or aborting
     * a communicator. Actions start newest first, each on its own thread. If the restart has already begun, the action
     * runs at once, on the calling thread, before {@link RestartSignal} is thrown: nothing that was opened meanwhile is
     * leaked.
     */
    void onAbort(Abortable action);

    /** Suspends the soft and the hard timeout until closed, for a call that is known to take long. */
    HangProtectionPause disableHangProtection();

    /** An action that ends blocking calls from another thread. Whatever it throws is logged. */
    @FunctionalInterface
    interface Abortable {
        /** Ends the blocking calls. */
        void abort() throws Exception;
    }

    /** See {@link CallWrapper#atomic}. */
    interface AtomicSection extends AutoCloseable {
        /**
         * Leaves the section.
         *
         * @throws IllegalMonitorStateException if this thread is not in the section: it was closed before, or belongs
         *     to another thread
         */
        @Override
        void close();
    }

    /** See {@link CallWrapper#disableHangProtection}. */
    interface HangProtectionPause extends AutoCloseable {
        /** Restarts both timeouts. */
        @Override
        void close();
    }
}
