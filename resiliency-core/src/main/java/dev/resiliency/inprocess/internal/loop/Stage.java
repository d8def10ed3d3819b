package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import org.jspecify.annotations.Nullable;

/**
 * A stage of the restart loop of a rank. It owns the state that is valid only while it lasts; its constructor is the
 * entry action, and the stages that it creates in {@link #next} may follow it. Confined to the monitor thread.
 *
 * <pre>
 *   Joining ─────────┐
 *                    ▼
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
 * <p>Founders begin with {@link Regrouping}, processes that come later with {@link Joining}. A joiner for which the job
 * has ended goes from there to {@link Closed}. A rank that gives up goes to {@link Leaving}, and from there to {@link Closed}; from {@link Running} or {@link
 * Awaiting} it goes by way of {@link Aborting} and {@link Stopping}, to stop its worker first.
 *
 * <p>Where survivors found the store anew when it is lost, {@link Agreeing} precedes {@link Running}, and {@link Acknowledging}
 * {@link Finishing}. If the store is lost, the worker is stopped as in any restart, and {@link Refounding} precedes {@link
 * Regrouping}; a rank that knows that the job is complete goes from {@link Parting} to the same on the new store.
 */
abstract sealed class Stage<R>
        permits Joining,
                Regrouping,
                Agreeing,
                Running,
                Awaiting,
                LastCall,
                Aborting,
                Stopping,
                Settling,
                BackingOff,
                Refounding,
                Acknowledging,
                Finishing,
                Parting,
                Leaving,
                Closed {

    /** What the stages of this rank share. */
    final LoopContext<R> context;

    private final LoopState state;
    private final @Nullable Iteration<R> iteration;
    private final Stopwatch since;

    Stage(LoopContext<R> context, LoopState state, @Nullable Iteration<R> iteration) {
        this.context = context;
        this.state = state;
        this.iteration = iteration;
        this.since = context.startStopwatch();
    }

    final LoopState state() {
        return state;
    }

    /** Returns how long the stage has lasted. */
    final Stopwatch since() {
        return since;
    }

    /** Returns the current or latest iteration of this rank; null before the first. */
    final @Nullable Iteration<R> iteration() {
        return iteration;
    }

    /** Proceeds as far as possible; returns the next stage, or null while this one lasts. */
    abstract @Nullable Stage<R> next();

    /** Returns the nanoseconds after which to call {@link #next} at the latest, if less than the usual interval. */
    long untilNextCheck() {
        return Long.MAX_VALUE;
    }

    /** Does what need not be done at once; called after the stage has lasted for a while. */
    void afterAWhile() {}

    /** Interrupts running user code and gives up all waits, as the loop has failed. */
    void abandon() {}
}
