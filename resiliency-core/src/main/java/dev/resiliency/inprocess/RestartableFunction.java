package dev.resiliency.inprocess;

import org.jspecify.annotations.Nullable;

/**
 * The function that a {@link Wrapper} calls, and calls again after each fault. It must bear that: load its state from a
 * checkpoint when it starts, and let {@link RestartSignal} and {@link InterruptedException} through.
 *
 * @param <R> what it returns
 * @since 0.1.0
 */
@FunctionalInterface
public interface RestartableFunction<R> {

    /**
     * Trains, from the last checkpoint on.
     *
     * @throws Exception to restart all ranks
     */
    @Nullable
    R call(CallWrapper call) throws Exception;
}
