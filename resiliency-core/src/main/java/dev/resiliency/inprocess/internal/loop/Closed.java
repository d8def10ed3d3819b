package dev.resiliency.inprocess.internal.loop;

import org.jspecify.annotations.Nullable;

/** The loop is over. */
final class Closed<R> extends Stage<R> {
    private final boolean comesAgain;

    Closed(LoopContext<R> context, @Nullable Iteration<R> last) {
        this(context, last, false);
    }

    /**
     * Closes the loop.
     *
     * @param comesAgain whether this process is no member of the job and may come again
     */
    Closed(LoopContext<R> context, @Nullable Iteration<R> last, boolean comesAgain) {
        super(context, LoopState.CLOSED, last);
        this.comesAgain = comesAgain;
        context.supervision().end();
    }

    /** Returns whether this process is no member of the job and may come again. */
    boolean comesAgain() {
        return comesAgain;
    }

    @Override
    @Nullable
    Stage<R> next() {
        return null;
    }
}
