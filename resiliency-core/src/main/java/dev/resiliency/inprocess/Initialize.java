package dev.resiliency.inprocess;

/**
 * Runs at the start of every iteration, the first one included, before the health check. What it throws restarts all
 * ranks; {@link RestartAbort} makes this rank leave. The guide's {@code Initialize}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Initialize {

    /** Prepares this rank for the iteration that {@code state} describes. */
    void initialize(State state) throws Exception;

    /** Returns a hook that runs this one, then {@code next}. The first that throws ends the chain. */
    default Initialize andThen(Initialize next) {
        return compose(next, this);
    }

    /**
     * Returns a hook that runs all of these in mathematical order: <b>the last one listed runs first</b>, as in
     * nvidia-resiliency-ext's {@code Compose}. The first that throws ends the chain.
     */
    static Initialize compose(Initialize... hooks) {
        return HookComposition.of(hooks, Initialize::initialize)::runUntilOneThrows;
    }

    /**
     * Ends the job on this rank, with {@link RestartAbort}, when the function has been called this often.
     *
     * @param maxIterations how often the function may be called, the first call included
     * @throws IllegalArgumentException if {@code maxIterations} is less than 1
     */
    static Initialize retryController(int maxIterations) {
        return retryController(maxIterations, 1, 1);
    }

    /**
     * Ends the job on this rank, with {@link RestartAbort}, when it has restarted too often or has become too small.
     * nvidia-resiliency-ext's {@code RetryController}.
     *
     * @param maxIterations how often the function may be called, the first call included; {@link Integer#MAX_VALUE} for
     *     any number
     * @param minWorldSize how many ranks must be alive
     * @param minActiveWorldSize how many ranks must run the function
     * @throws IllegalArgumentException if one is less than 1
     */
    static Initialize retryController(int maxIterations, int minWorldSize, int minActiveWorldSize) {
        return new RetryController(maxIterations, minWorldSize, minActiveWorldSize);
    }
}
