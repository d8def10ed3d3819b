package dev.resiliency.inprocess;

/**
 * Decides whether this rank can go on: runs before the function, and again after each fault. Unhealthy is said by
 * throwing; the rank then leaves with {@link HealthCheckException}, and the others restart
 * without it. The guide's {@code HealthCheck}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface HealthCheck {

    /** Throws if this rank must not go on. */
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
     * Takes a rank out of the job that fails again and again, so that a device or a host that breaks every restart does
     * not break them for ever. nvidia-resiliency-ext's {@code FaultCounter}.
     *
     * @param maxFaults how many faults of its own a rank may have and still go on; {@link State#faults} says what counts
     * @throws IllegalArgumentException if {@code maxFaults} is negative
     */
    static HealthCheck faultCounter(int maxFaults) {
        return new FaultCounter(maxFaults);
    }
}
