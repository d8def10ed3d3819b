package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.refound.Succession.Moved;
import dev.resiliency.inprocess.internal.worker.LeavingOnPurpose;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import org.jspecify.annotations.Nullable;

/**
 * The store is lost, and the worker has stopped: waits for the store on which the job goes on. A rank that follows its agent begins anew
 * there, and so ends this loop.
 */
final class Refounding<R> extends Stage<R> {
    private final Stopped<R> restart;

    Refounding(LoopContext<R> context, Stopped<R> restart) {
        super(context, LoopState.REFOUNDING, restart.iteration());
        this.restart = restart;
        context.supervision().end();
    }

    @Override
    @Nullable
    Stage<R> next() {
        Departure departure = context.departure();
        InterruptedException interrupt = departure.callersInterrupt();
        if (interrupt != null) {
            return leave(interrupt);
        }
        if (context.voter().isLeftBehind()) {
            return new Closed<>(context, iteration(), true);
        }
        Moved moved;
        try {
            moved = context.voter().found();
        } catch (RuntimeException none) {
            return leave(none);
        }
        if (moved == null) {
            return null;
        }
        KnownWorld base = moved.founded().base();
        int rank = context.identity().rank();
        Iteration<R> last = restart.iteration();
        int position = base.iteration() == last.number()
                ? last.state().rank()
                : context.voter().positionIn(base);
        if (!base.members().contains(rank) || position < 0 || !moved.founded().isMember()) {
            context.voter().joins(moved.founded().seat());
            return leave(LeavingOnPurpose.toWait("the others have gone on without it"));
        }
        LoopContext<R> there = context.moveTo(moved);
        return moved.founded().isComplete()
                ? new Acknowledging<>(there, last)
                : new Regrouping<>(there, restart, NextIteration.after(there, base, position));
    }

    private Stage<R> leave(Throwable because) {
        context.departure().decide(because, iteration());
        return new Leaving<>(context, iteration());
    }
}
