package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import org.jspecify.annotations.Nullable;

/** The loop is over. */
final class Closed<R> implements Stage<R> {
    private final @Nullable Iteration<R> last;
    private final boolean comesAgain;
    private final Stopwatch since;

    Closed(LoopContext<R> context, @Nullable Iteration<R> last) {
        this(context, last, false);
    }

    /**
     * Closes the loop.
     *
     * @param comesAgain whether this process is no member of the job and may come again
     */
    Closed(LoopContext<R> context, @Nullable Iteration<R> last, boolean comesAgain) {
        this.last = last;
        this.comesAgain = comesAgain;
        this.since = context.startStopwatch();
        context.supervision().end();
    }

    /** Returns whether this process is no member of the job and may come again. */
    boolean comesAgain() {
        return comesAgain;
    }

    @Override
    public LoopState state() {
        return LoopState.CLOSED;
    }

    @Override
    public Stopwatch since() {
        return since;
    }

    @Override
    public @Nullable Iteration<R> iteration() {
        return last;
    }

    @Override
    public @Nullable Stage<R> next() {
        return null;
    }
}
