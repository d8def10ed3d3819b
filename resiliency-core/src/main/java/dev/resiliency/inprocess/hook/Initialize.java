package dev.resiliency.inprocess.hook;

import dev.resiliency.inprocess.State;

/**
 * Runs at the start of every iteration, the first one included, before the health check. What it throws restarts all
 * ranks; {@link dev.resiliency.inprocess.RestartAbort} makes this rank leave. The guide's {@code Initialize}.
 */
@FunctionalInterface
public interface Initialize {

    /** Prepares this rank for the iteration that {@code state} describes. */
    void initialize(State state) throws Exception;

    /** All of them, in mathematical order: the last one listed runs first. The first that throws ends the chain. */
    static Initialize compose(Initialize... hooks) {
        return Composition.of(hooks, Initialize::initialize)::runUntilOneThrows;
    }
}
