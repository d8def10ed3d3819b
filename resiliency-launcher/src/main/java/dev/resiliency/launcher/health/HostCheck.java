package dev.resiliency.launcher.health;

/** Checks one thing on this host. Ends within seconds, or when its thread is interrupted. */
@FunctionalInterface
public interface HostCheck extends AutoCloseable {
    /** Returns what was found; never throws for what is wrong with the host. */
    Finding run() throws InterruptedException;

    /** Ends what the check has started on this host. Called once, after the last run. */
    @Override
    default void close() {}
}
