package dev.resiliency.inprocess;

import dev.resiliency.store.Store;

/**
 * What the wrapped function has of its wrapper, during one iteration. The guide's {@code CallWrapper}.
 *
 * <p>Each iteration has its own. Once its restart has begun, every method but {@link #state}, {@link #iteration} and
 * {@link #store} throws {@link RestartSignal}, so a worker that was left behind can do no more harm through it; only a
 * thread inside an {@link #atomic} section is left alone until it leaves the section. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface CallWrapper {

    /** Who this rank is in this iteration. */
    State state();

    /** How often the function was called before: 0 the first time. */
    default int iteration() {
        return state().iteration();
    }

    /**
     * The job's store under a prefix of this iteration: ranks can exchange addresses through it, and no key of an
     * earlier iteration is in the way. Its keys are deleted two restarts later.
     */
    Store store();

    /**
     * Reports progress: the manual heartbeat. From the first one of an iteration on, a pause longer than the soft
     * timeout is taken for a hang. Costs a few nanoseconds and allocates nothing.
     */
    void ping();

    /** Throws {@link RestartSignal} if the iteration is to end; a place to stop at for code that does not ping. */
    void checkRestart();

    /**
     * Enters a section that a restart does not cut through, such as the writing of a checkpoint. The restart waits for
     * it to end. Reentrant; the thread that entered closes it. Other threads that enter meanwhile wait.
     */
    AtomicSection atomic();

    /**
     * Registers what unblocks the function when the iteration must end: closing a socket, aborting a communicator.
     * Newest first, each in a thread of its own. If the restart has already begun, the action runs at once, in the
     * calling thread, before {@link RestartSignal} is thrown: nothing that was opened meanwhile is forgotten.
     */
    void onAbort(Abortable action);

    /** Suspends the soft and the hard timeout until closed, for a call that is known to take long. */
    HangProtectionPause disableHangProtection();

    /** An action that ends blocking calls from another thread. What it throws is logged. */
    @FunctionalInterface
    interface Abortable {
        /** Ends them. */
        void abort() throws Exception;
    }

    /** See {@link CallWrapper#atomic}. */
    interface AtomicSection extends AutoCloseable {
        /**
         * Leaves the section.
         *
         * @throws IllegalMonitorStateException if this thread is in none: it was closed before, or by another thread
         */
        @Override
        void close();
    }

    /** See {@link CallWrapper#disableHangProtection}. */
    interface HangProtectionPause extends AutoCloseable {
        /** Starts both timeouts anew. */
        @Override
        void close();
    }
}
