package dev.resiliency.inprocess;

/**
 * Unblocks the function from another thread when its iteration must end: aborts communicators, closes sockets. Whatever
 * it throws is logged and has no other effect. Corresponds to nvidia-resiliency-ext's {@code Abort}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Abort {

    /** Unblocks the function in the iteration that {@code state} describes. */
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
