package dev.resiliency.inprocess;

/**
 * Runs at the start of every iteration, including the first, before the health check. Whatever it throws restarts all
 * ranks; {@link RestartAbort} makes this rank leave. Corresponds to nvidia-resiliency-ext's {@code Initialize}.
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
     * Returns a hook that makes this rank leave the job, with {@link RestartAbort}, after {@code maxIterations} calls
     * of the function: see {@link State#jobRestarts}.
     *
     * @param maxIterations how often the job may call the function, including the first call, in all generations
     * @throws IllegalArgumentException if {@code maxIterations} is less than 1
     */
    static Initialize retryController(int maxIterations) {
        return retryController(maxIterations, 1, 1);
    }

    /**
     * Returns a hook that makes this rank leave the job, with {@link RestartAbort}, when it has restarted too often or
     * the job has become too small. Corresponds to nvidia-resiliency-ext's {@code RetryController}.
     *
     * @param maxIterations how often the job may call the function, including the first call, in all generations; {@link
     *     Integer#MAX_VALUE} for no limit
     * @param minWorldSize how many ranks must be alive
     * @param minActiveWorldSize how many ranks must run the function
     * @throws IllegalArgumentException if one is less than 1
     */
    static Initialize retryController(int maxIterations, int minWorldSize, int minActiveWorldSize) {
        return new RetryController(maxIterations, minWorldSize, minActiveWorldSize);
    }
}
