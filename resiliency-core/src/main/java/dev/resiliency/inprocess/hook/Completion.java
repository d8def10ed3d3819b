package dev.resiliency.inprocess.hook;

import dev.resiliency.inprocess.State;

/**
 * Runs once, when all active ranks have completed. What it throws reaches the caller. The guide's {@code Completion}.
 */
@FunctionalInterface
public interface Completion {

    /** Does what is due at the end of a training that succeeded. */
    void completed(State state) throws Exception;

    /** All of them, in mathematical order: the last one listed runs first. The first that throws ends the chain. */
    static Completion compose(Completion... hooks) {
        return Composition.of(hooks, Completion::completed)::runUntilOneThrows;
    }
}
