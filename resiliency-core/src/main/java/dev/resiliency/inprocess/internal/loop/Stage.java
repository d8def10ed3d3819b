package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import org.jspecify.annotations.Nullable;

/**
 * Where a rank is in its restart loop. A stage owns what is known only while it lasts; its constructor is the entry action,
 * and what it makes in {@link #next} may follow it. Confined to the monitor thread.
 *
 * <pre>
 *   Regrouping ─▶ Running ─▶ Awaiting ─▶ Finishing ─▶ Parting ─▶ Closed
 *       ▲            │          │
 *       │            ▼          │
 *       │         LastCall ◀────┘
 *       │            │
 *       │            ▼
 *       │         Aborting ─▶ Stopping ─▶ Settling ─▶ BackingOff
 *       │                                    │             │
 *       └────────────────────────────────────┴─────────────┘
 * </pre>
 *
 * <p>A rank that gives up goes to {@link Leaving}, and from there to {@link Closed}; from {@link Running} or {@link
 * Awaiting} it goes by way of {@link Aborting} and {@link Stopping}, to stop its worker first.
 */
sealed interface Stage<R>
        permits Regrouping,
                Running,
                Awaiting,
                LastCall,
                Aborting,
                Stopping,
                Settling,
                BackingOff,
                Finishing,
                Parting,
                Leaving,
                Closed {

    LoopState state();

    /** Measures how long the stage has lasted. */
    Stopwatch since();

    /** The iteration that this rank is in, or was in last; null before the first. */
    @Nullable
    Iteration<R> iteration();

    /** Goes on as far as it can; returns the stage that follows, or null while this one lasts. */
    @Nullable
    Stage<R> next();

    /** After how many nanoseconds to call {@link #next} at the latest, if less than the usual interval. */
    default long untilNextLook() {
        return Long.MAX_VALUE;
    }

    /** Does what need not be done at once; called when the stage has lasted for a while. */
    default void afterAWhile() {}

    /** Interrupts the user code that runs, and gives up what this rank waits for: the loop has failed. */
    default void abandon() {}
}
