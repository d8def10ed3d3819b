package dev.resiliency.inprocess.hook;

import dev.resiliency.inprocess.State;

/**
 * Runs once, when this rank leaves the job before its end, if it has begun an iteration. What it throws is logged. The
 * guide's {@code Terminate}.
 */
@FunctionalInterface
public interface Terminate {

    /** Does what is due on a rank that gives up. */
    void terminated(State state) throws Exception;

    /** All of them, in mathematical order: the last one listed runs first. Each runs, whatever the ones before it threw. */
    static Terminate compose(Terminate... hooks) {
        return Composition.of(hooks, Terminate::terminated)::runAll;
    }
}
