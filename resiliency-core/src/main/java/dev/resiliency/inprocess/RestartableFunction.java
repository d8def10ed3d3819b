package dev.resiliency.inprocess;

import org.jspecify.annotations.Nullable;

/**
 * The function that a {@link Wrapper} calls, and calls again after each fault. It must be re-callable: load its state
 * from a checkpoint when it starts, and let {@link RestartSignal} and {@link InterruptedException} through.
 *
 * @param <R> the type of its result
 * @since 0.1.0
 */
@FunctionalInterface
public interface RestartableFunction<R> {

    /**
     * Runs the training from the last checkpoint on.
     *
     * @throws Exception to restart all ranks
     */
    @Nullable
    R call(CallWrapper call) throws Exception;
}
