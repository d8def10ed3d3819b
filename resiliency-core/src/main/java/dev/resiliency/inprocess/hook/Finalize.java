package dev.resiliency.inprocess.hook;

import dev.resiliency.inprocess.State;

/**
 * Runs after the function has ended because of a fault, and brings the process into a state in which it can be called
 * again. What it throws makes this rank leave. The guide's {@code Finalize}.
 */
@FunctionalInterface
public interface Finalize {

    /** Cleans up after the iteration that {@code state} describes. */
    void finish(State state) throws Exception;

    /** All of them, in mathematical order: the last one listed runs first. The first that throws ends the chain. */
    static Finalize compose(Finalize... hooks) {
        return Composition.of(hooks, Finalize::finish)::runUntilOneThrows;
    }
}
