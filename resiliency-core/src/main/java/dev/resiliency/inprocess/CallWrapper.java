package dev.resiliency.inprocess;

import dev.resiliency.store.Store;
import java.util.function.Supplier;

/**
 * The wrapped function's access to its wrapper during one iteration. Corresponds to nvidia-resiliency-ext's {@code
 * CallWrapper}.
 *
 * <p>Each iteration has its own. Once its restart has begun, every method but {@link #state}, {@link #iteration},
 * {@link #lastEvent}, {@link #store} and {@link #fail} throws {@link RestartSignal}, so a worker that was left behind can do no further harm
 * through it; only a thread inside an {@link #atomic} section is exempt until it leaves the section. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface CallWrapper {

    /** Returns this rank's role in this iteration. */
    State state();

    /** Returns the number of this iteration: 0 the first time; see {@link State#iteration}. */
    default int iteration() {
        return state().iteration();
    }

    /**
     * Returns how the world came about in which this iteration runs: {@link WorldEvent.Started} from the first iteration
     * of this process on, until a restart has changed the members of the job; then the last such {@link
     * WorldEvent.Changed}. So this iteration runs in a new world if and only if the event has its number. It is the same
     * for the whole call.
     */
    WorldEvent lastEvent();

    /**
     * Returns the job's store under a prefix of this iteration: ranks can exchange addresses through it, and keys of
     * earlier iterations are not visible. Its keys are deleted two restarts later.
     */
    Store store();

    /**
     * Returns the object of this type that this process keeps from iteration to iteration; creates it the first time. So
     * a function finds again what it had in memory before a restart. It lives as long as the call of the wrapper, at whose
     * end it is closed if it is {@link AutoCloseable}. A thread that an earlier iteration has left behind does not obtain
     * it, but may still hold it.
     *
     * @param create makes the object; must not call this method
     */
    <T> T keep(Class<T> type, Supplier<? extends T> create);

    /**
     * Reports progress: the manual heartbeat. From the first one of an iteration on, a pause longer than the soft
     * timeout counts as a hang. Costs a few nanoseconds and allocates nothing.
     */
    void ping();

    /**
     * Tells that the function begins a step: it stands between two steps, where its state is whole, as a rule at the beginning of its
     * loop. A {@link #ping} that says how far the training is: logs, reports and the status page show the step, a guard against lack of
     * progress compares it, and a restart that goes back further than the last one explains is warned of.
     *
     * <p>Each is a <i>safe point</i>. When ranks wait to join ({@link Elasticity.Admission#atSafePoint}) or one is to {@linkplain
     * Wrapper.Builder#leaveOn leave}, all ranks stop at the same step: there this method throws {@link RestartSignal},
     * so that none of them is in a collective, and no step is lost or repeated. The next call of the function goes on
     * with that very step.
     *
     * <p>All active ranks must count the same steps, each must make them in order, and one thread of a rank must call
     * this method for each step. Costs a few nanoseconds as long as no one joins or leaves.
     *
     * @param step the number of the step that comes next: at least 0, and larger than that of the call before
     * @throws IllegalArgumentException if it is not
     */
    void step(long step);

    /**
     * Asks for this rank to leave its job on purpose: at the next {@linkplain #step safe point}, or with the next
     * restart if that comes first. The others go on without it, and {@link Wrapper#call} returns null. Returns at once;
     * the first reason counts. For those who learn by other means than a {@linkplain Wrapper.Builder#leaveOn signal}
     * that their process must end. Without a wrapper that is enabled, it has no effect.
     *
     * @param reason for logs and for the restart reports of the others, such as {@code the time limit is near}
     */
    void leave(String reason);

    /**
     * Tells what the function has failed with, before its cleanup: all ranks restart at once, with this as the cause, also if the cleanup
     * waits for others or never ends. Java keeps an exception to itself until the last {@code finally} block has ended. Only the first one
     * of an iteration counts; one that ends the rank, such as a {@link RestartAbort}, counts when it is thrown. Never throws.
     *
     * <pre>{@code
     * try {
     *     steps(call);
     * } catch (Exception e) {
     *     call.fail(e);
     *     throw e;
     * } finally {
     *     barrier.await(); // with the other ranks
     * }
     * }</pre>
     */
    void fail(Throwable cause);

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

    /**
     * Suspends the soft and the hard timeout until closed, for a call that is known to take long. The others wait for a rank that has
     * opened it before its first step, as long as it takes; so open {@link #waitsForPeers} for a wait for other ranks.
     */
    HangProtectionPause disableHangProtection();

    /**
     * Says that the function only waits for other ranks until this is closed, as around a collective operation: such a wait is no hang
     * of this rank, and when another one hangs, this one has followed. As {@link #disableHangProtection} otherwise, so the wait should
     * have a limit of its own. Not needed around a read from a socket, a lock or a wait for a thread, which the wrapper recognizes.
     */
    default HangProtectionPause waitsForPeers() {
        return disableHangProtection();
    }

    /** An action that ends blocking calls from another thread. Whatever it throws is logged. */
    @FunctionalInterface
    interface Abortable {
        /** Ends the blocking calls. */
        void abort() throws Exception;
    }

    /** See {@link CallWrapper#atomic}. */
    interface AtomicSection extends AutoCloseable {
        /**
         * Asks the store whether this rank still belongs to its job; for the moment before the last act of the section,
         * such as the rename of a checkpoint. A process that was suspended in the section may continue when the others
         * have long gone on without it, and would replace what they have written since. Costs a round trip to the store; while
         * the store is out of reach this rank waits, which does not count as its hang, and so do those that need it.
         *
         * @throws RestartSignal if it does not, or the store does not answer
         */
        void confirm();

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
