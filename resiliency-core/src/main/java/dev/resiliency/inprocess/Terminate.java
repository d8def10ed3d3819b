package dev.resiliency.inprocess;

/**
 * Runs once, when this rank leaves the job before its end, if it has begun an iteration. Whatever it throws is logged.
 * Corresponds to nvidia-resiliency-ext's {@code Terminate}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Terminate {

    /** Runs on a rank that leaves the job. */
    void terminated(State state) throws Exception;

    /** Returns a hook that runs this one, then {@code next}. Each runs, whatever the ones before it threw. */
    default Terminate andThen(Terminate next) {
        return compose(next, this);
    }

    /**
     * Returns a hook that runs all of these in mathematical order: <b>the last one listed runs first</b>, as in
     * nvidia-resiliency-ext's {@code Compose}. Each runs, whatever the ones before it threw.
     */
    static Terminate compose(Terminate... hooks) {
        return HookComposition.of(hooks, Terminate::terminated)::runAll;
    }
}
