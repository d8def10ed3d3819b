package dev.resiliency.inprocess;

import java.time.Duration;

/**
 * Runs after a fault has ended the function, and prepares the process for the next call. Whatever it throws makes this
 * rank leave. Corresponds to nvidia-resiliency-ext's {@code Finalize}.
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
     * Runs a finalize hook on a separate thread, with a time limit. A hook that exceeds it makes its rank leave, like
     * one that throws: whatever it hangs on would break the next iteration, too. Its thread is interrupted and left
     * behind. Corresponds to nvidia-resiliency-ext's {@code ThreadedFinalize}.
     *
     * <p>Waiting for the hook is not progress, so a timeout longer than the wrapper's hard timeout has no effect: the
     * monitor process ends the rank first.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    static Finalize threaded(Finalize hook, Duration timeout) {
        return new ThreadedFinalize(hook, timeout);
    }
}
