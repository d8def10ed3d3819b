package dev.resiliency.inprocess.internal.loop;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How fast the function of this rank makes its steps in one iteration, from looks at its latest step at any times.
 * Counts the most steps in a window of time: a function that waits for a slow rank now and then makes more of them
 * later. Confined to the monitor thread.
 */
final class StepPace {
    /** The time within which every rank learns of a step that is published. */
    static final Duration WINDOW = Duration.ofMillis(200);

    /** Null until the first look. */
    private @Nullable Look first;

    private @Nullable Look last;
    private long most;

    /** The latest step at a time. */
    private record Look(long nanos, long step) {}

    /** Looks at the latest step; counts at most once in a window. */
    void look(long nanos, long step) {
        Look now = new Look(nanos, step);
        Look before = last;
        if (before == null) {
            first = now;
            last = now;
            return;
        }
        long elapsed = nanos - before.nanos();
        if (elapsed >= WINDOW.toNanos()) {
            most = Math.max(most, (long) Math.ceil((step - before.step()) * (double) WINDOW.toNanos() / elapsed));
            last = now;
        }
    }

    /** Returns whether a window has passed and the function has made a step since the first look. */
    boolean isKnown() {
        return first != null && last != null && last.step() > first.step();
    }

    /** Returns the most steps in a window. */
    long stepsPerWindow() {
        return most;
    }
}
