package dev.resiliency.inprocess;

/**
 * Decides whether this rank can continue; runs before the function, and again after each fault. A check fails by
 * throwing: the rank then leaves with {@link HealthCheckException}, and the others restart without it. Corresponds to
 * nvidia-resiliency-ext's {@code HealthCheck}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface HealthCheck {

    /** Throws if this rank must not continue. */
    void check(State state) throws Exception;

    /** Returns a hook that runs this one, then {@code next}. The first that throws ends the chain. */
    default HealthCheck andThen(HealthCheck next) {
        return compose(next, this);
    }

    /**
     * Returns a hook that runs all of these in mathematical order: <b>the last one listed runs first</b>, as in
     * nvidia-resiliency-ext's {@code Compose}. The first that throws ends the chain.
     */
    static HealthCheck compose(HealthCheck... hooks) {
        return HookComposition.of(hooks, HealthCheck::check)::runUntilOneThrows;
    }

    /**
     * Returns a check that removes a rank that fails repeatedly from the job, so that a broken device or host does not
     * keep breaking restarts. Corresponds to nvidia-resiliency-ext's {@code FaultCounter}.
     *
     * @param maxFaults how many faults of its own a rank may have and still continue; {@link State#faults} defines what
     *     counts
     * @throws IllegalArgumentException if {@code maxFaults} is negative
     */
    static HealthCheck faultCounter(int maxFaults) {
        return new FaultCounter(maxFaults);
    }
}
