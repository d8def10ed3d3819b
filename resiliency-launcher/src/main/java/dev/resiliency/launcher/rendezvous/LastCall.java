package dev.resiliency.launcher.rendezvous;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a cycle begins: at once when all nodes are there that may come, else some time after enough nodes
 * have come. Confined to one thread.
 */
final class LastCall {
    private final int max;
    private final Duration wait;
    /** When enough nodes were there, on the clock of {@link System#nanoTime}; null if they are not. */
    private @Nullable Long enoughSince;

    LastCall(int max, Duration wait) {
        this.max = max;
        this.wait = wait;
    }

    /**
     * Returns how long to wait for more nodes, zero for not at all; empty while there are too few.
     *
     * @param isEnough whether the job can begin with those that live
     */
    Optional<Duration> remaining(int living, boolean isEnough, long now) {
        if (!isEnough) {
            enoughSince = null;
            return Optional.empty();
        }
        if (enoughSince == null) {
            enoughSince = now;
        }
        Duration rest = wait.minusNanos(now - enoughSince);
        return Optional.of(living >= max || rest.isNegative() ? Duration.ZERO : rest);
    }
}
