package dev.resiliency.inprocess.hook;

import dev.resiliency.inprocess.State;

/**
 * Decides whether this rank can go on: runs before the function, and again after each fault. Unhealthy is said by
 * throwing; the rank then leaves with {@link dev.resiliency.inprocess.HealthCheckException}, and the others restart
 * without it. The guide's {@code HealthCheck}.
 */
@FunctionalInterface
public interface HealthCheck {

    /** Throws if this rank must not go on. */
    void check(State state) throws Exception;

    /** All of them, in mathematical order: the last one listed runs first. The first that throws ends the chain. */
    static HealthCheck compose(HealthCheck... hooks) {
        return Composition.of(hooks, HealthCheck::check)::runUntilOneThrows;
    }
}
