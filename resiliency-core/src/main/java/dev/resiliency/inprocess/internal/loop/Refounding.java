package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.refound.KnownWorld;
import dev.resiliency.inprocess.internal.refound.Succession.Moved;
import dev.resiliency.inprocess.internal.worker.LeavingOnPurpose;
import org.jspecify.annotations.Nullable;

/** The store is lost, and the worker has stopped: waits for the store on which the job goes on. */
final class Refounding<R> implements Stage<R> {
    private final LoopContext<R> context;
    private final Stopped<R> restart;
    private final Stopwatch since;

    Refounding(LoopContext<R> context, Stopped<R> restart) {
        this.context = context;
        this.restart = restart;
        this.since = context.startStopwatch();
        context.supervision().end();
    }

    @Override
    public LoopState state() {
        return LoopState.REFOUNDING;
    }

    @Override
    public Stopwatch since() {
        return since;
    }

    @Override
    public Iteration<R> iteration() {
        return restart.iteration();
    }

    @Override
    public @Nullable Stage<R> next() {
        Departure departure = context.departure();
        InterruptedException interrupt = departure.callersInterrupt();
        if (interrupt != null) {
            return leave(interrupt);
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
        int position = base.iteration() == iteration().number()
                ? iteration().state().rank()
                : context.voter().positionIn(base);
        if (!base.members().contains(rank) || position < 0 || !moved.founded().isMember()) {
            context.voter().joins(moved.founded().seat());
            return leave(LeavingOnPurpose.toWait("the others have gone on without it"));
        }
        LoopContext<R> there = context.moveTo(moved);
        return moved.founded().isComplete()
                ? new Acknowledging<>(there, iteration())
                : new Regrouping<>(there, restart, NextIteration.after(there, base, position));
    }

    private Stage<R> leave(Throwable because) {
        context.departure().decide(because, iteration());
        return new Leaving<>(context, iteration());
    }
}
