package dev.resiliency.inprocess;

/**
 * Ends what blocks the function when its iteration must end, from another thread: aborts communicators, closes sockets.
 * What it throws is logged and changes nothing else. The guide's {@code Abort}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Abort {

    /** Unblocks the function that runs in the iteration that {@code state} describes. */
    void abort(State state) throws Exception;

    /** Returns a hook that runs this one, then {@code next}. Each runs, whatever the ones before it threw. */
    default Abort andThen(Abort next) {
        return compose(next, this);
    }

    /**
     * Returns a hook that runs all of these in mathematical order: <b>the last one listed runs first</b>, as in
     * nvidia-resiliency-ext's {@code Compose}. Each runs, whatever the ones before it threw.
     */
    static Abort compose(Abort... hooks) {
        return HookComposition.of(hooks, Abort::abort)::runAll;
    }
}
