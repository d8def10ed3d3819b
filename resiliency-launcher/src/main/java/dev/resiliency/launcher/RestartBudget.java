package dev.resiliency.launcher;

import dev.resiliency.launcher.config.Durations;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How often a process is started again.
 *
 * @param maxRestarts 0 for never
 * @param window restarts longer ago than this no longer count; null if all count for ever
 * @since 0.1.0
 */
public record RestartBudget(int maxRestarts, @Nullable Duration window) {
    private static final RestartBudget DEFAULT = new RestartBudget(10, Duration.ofHours(1));

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if {@code maxRestarts} is negative or {@code window} is not positive, or
     *     longer than ten years
     */
    public RestartBudget {
        if (maxRestarts < 0) {
            throw new IllegalArgumentException("maxRestarts is " + maxRestarts + ": it must not be negative");
        }
        if (window != null && Durations.checked("window", window).isZero()) {
            throw new IllegalArgumentException("window is " + window + ": it must be positive");
        }
    }

    /** Returns the default: 10 restarts within an hour. */
    public static RestartBudget defaults() {
        return DEFAULT;
    }

    /** Returns a budget of so many restarts, ever. */
    public static RestartBudget of(int maxRestarts) {
        return new RestartBudget(maxRestarts, null);
    }

    /** Returns a budget of as many restarts within a window, which moves along. */
    public RestartBudget within(Duration movingWindow) {
        return new RestartBudget(maxRestarts, Objects.requireNonNull(movingWindow, "movingWindow"));
    }

    /** Returns {@code 10 within 1h}, or {@code 10}. */
    @Override
    public String toString() {
        return window == null ? Integer.toString(maxRestarts) : maxRestarts + " within " + Durations.format(window);
    }
}
