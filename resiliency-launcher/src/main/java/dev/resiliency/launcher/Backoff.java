package dev.resiliency.launcher;

import dev.resiliency.launcher.config.Durations;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before a restart. A process that ran well starts again at once. One that failed at start-up waits {@code
 * min}, and twice as long after each further failure in a row, up to {@code max}; and up to half as long again, at random, so
 * that not all processes of a job start in the same moment.
 *
 * @param min may be zero: then the restart after a first failure at start-up comes at once, too, and further ones wait from
 *     100 ms on
 * @since 0.1.0
 */
public record Backoff(Duration min, Duration max) {
    private static final Backoff DEFAULT = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
    private static final Duration LEAST_STEP = Duration.ofMillis(100);
    private static final double JITTER = 0.5;
    /** More are longer than any limit, and would not fit into a number. */
    private static final int MOST_DOUBLINGS = 30;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if {@code min} is negative or longer than {@code max}, or {@code max} is longer than
     *     a day
     */
    public Backoff {
        if (min.isNegative() || min.compareTo(max) > 0 || max.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    "a backoff from %s to %s is invalid: min must be at least 0 and at most max, and max at most a day"
                            .formatted(Durations.format(min), Durations.format(max)));
        }
    }

    /** Returns the default: 1 s to 1 min. */
    public static Backoff defaults() {
        return DEFAULT;
    }

    /**
     * Returns how long to wait.
     *
     * @param startupFailures how often in a row the process has failed at start-up
     */
    Duration delay(int startupFailures, RandomGenerator random) {
        int waits = min.isZero() ? startupFailures - 1 : startupFailures;
        if (waits <= 0) {
            return Duration.ZERO;
        }
        double step = min.isZero() ? LEAST_STEP.toNanos() : min.toNanos();
        int doublings = Math.min(waits - 1, MOST_DOUBLINGS);
        double delay = step * (1L << doublings) * (1 + JITTER * random.nextDouble());
        return Duration.ofNanos(Math.min((long) delay, max.toNanos()));
    }
}
