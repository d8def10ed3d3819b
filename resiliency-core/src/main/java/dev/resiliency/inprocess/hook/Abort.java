package dev.resiliency.inprocess.hook;

import dev.resiliency.inprocess.State;

/**
 * Ends what blocks the function when its iteration must end, from another thread: aborts communicators, closes sockets.
 * What it throws is logged and changes nothing else. The guide's {@code Abort}.
 */
@FunctionalInterface
public interface Abort {

    /** Unblocks the function that runs in the iteration that {@code state} describes. */
    void abort(State state) throws Exception;

    /** All of them, in mathematical order: the last one listed runs first. Each runs, whatever the ones before it threw. */
    static Abort compose(Abort... hooks) {
        return Composition.of(hooks, Abort::abort)::runAll;
    }
}
