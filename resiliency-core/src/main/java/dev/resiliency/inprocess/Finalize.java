package dev.resiliency.inprocess;

import java.time.Duration;

/**
 * Runs after the function has ended because of a fault, and brings the process into a state in which it can be called
 * again. What it throws makes this rank leave. The guide's {@code Finalize}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Finalize {

    /** Cleans up after the iteration that {@code state} describes. */
    void finish(State state) throws Exception;

    /** Returns a hook that runs this one, then {@code next}. The first that throws ends the chain. */
    default Finalize andThen(Finalize next) {
        return compose(next, this);
    }

    /**
     * Returns a hook that runs all of these in mathematical order: <b>the last one listed runs first</b>, as in
     * nvidia-resiliency-ext's {@code Compose}. The first that throws ends the chain.
     */
    static Finalize compose(Finalize... hooks) {
        return HookComposition.of(hooks, Finalize::finish)::runUntilOneThrows;
    }

    /**
     * Runs a finalize hook on a thread of its own, with a time limit. A hook that exceeds it makes its rank leave, like one
     * that throws: whatever it hangs on would break the next iteration, too. Its thread is interrupted and left behind.
     * nvidia-resiliency-ext's {@code ThreadedFinalize}.
     *
     * <p>Waiting for the hook is no progress, so a timeout longer than the wrapper's hard timeout has no effect: the
     * monitor process ends the rank before.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    static Finalize threaded(Finalize hook, Duration timeout) {
        return new ThreadedFinalize(hook, timeout);
    }
}
