package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.refound.Succession.Moved;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** All active ranks have returned: accepts that, and waits until it is agreed, so that no other store takes it back. */
final class Acknowledging<R> extends Stage<R> {
    private final Iteration<R> iteration;
    private final CompletableFuture<?> agreement;

    Acknowledging(LoopContext<R> context, Iteration<R> iteration) {
        super(context, LoopState.ACKNOWLEDGING, iteration);
        this.iteration = iteration;
        context.voter().complete();
        this.agreement = context.waker()
                .wakeWhenDone(context.member()
                        .acknowledge(iteration.number(), context.timings().barrierTimeout()));
    }

    /** Finishes the iteration, if need be once that is agreed. */
    static <R> Stage<R> finish(LoopContext<R> context, Iteration<R> iteration) {
        return context.voter().votes() ? new Acknowledging<>(context, iteration) : new Finishing<>(context, iteration);
    }

    /**
     * Waits for another store, as this one is lost after the function of this rank has returned.
     *
     * @return the stage that follows; null while there is no other store
     */
    static <R> @Nullable Stage<R> afterLoss(LoopContext<R> context, Iteration<R> iteration) {
        if (context.voter().isLeftBehind()) {
            return new Aborting<>(context, iteration);
        }
        Moved moved;
        try {
            moved = context.voter().found();
        } catch (RuntimeException none) {
            context.departure().decide(none, iteration);
            return new Aborting<>(context, iteration);
        }
        if (moved == null) {
            return null;
        }
        return moved.founded().isComplete() && moved.founded().base().iteration() == iteration.number()
                ? new Acknowledging<>(context.moveTo(moved), iteration)
                : new Aborting<>(context, iteration);
    }

    @Override
    @Nullable
    Stage<R> next() {
        if (context.departure().heedFailureOf(agreement, iteration)) {
            return new Aborting<>(context, iteration);
        }
        if (context.voter().isAdrift()) {
            return afterLoss(context, iteration);
        }
        return agreement.isDone() ? new Finishing<>(context, iteration) : null;
    }
}
