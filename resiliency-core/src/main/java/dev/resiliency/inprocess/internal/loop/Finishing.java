package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.worker.Worker;
import org.jspecify.annotations.Nullable;

/** All active ranks have completed; completion hooks run. */
final class Finishing<R> implements Stage<R> {
    private final LoopContext<R> context;
    private final Iteration<R> iteration;
    private final Stopwatch since;
    private final HookRun<R> hook;

    Finishing(LoopContext<R> context, Iteration<R> iteration) {
        this.context = context;
        this.iteration = iteration;
        this.since = context.startStopwatch();
        iteration.ended("COMPLETED");
        context.announcements().completed(iteration.state());
        this.hook = new HookRun<>(context.supervision(), context.userCode().startCompletion(iteration.state()));
    }

    @Override
    public LoopState state() {
        return LoopState.FINISHING;
    }

    @Override
    public Stopwatch since() {
        return since;
    }

    @Override
    public Iteration<R> iteration() {
        return iteration;
    }

    @Override
    public @Nullable Stage<R> next() {
        Departure departure = context.departure();
        Worker.Ending<R> ending = hook.ending();
        if (ending != null && ending.thrown() != null) {
            departure.decide(ending.thrown(), iteration);
            return new Leaving<>(context, iteration);
        }
        // The job is complete: only its own caller can still make this rank give up, not the loss of the store.
        InterruptedException interrupt = departure.callersInterrupt();
        if (interrupt != null) {
            departure.decide(interrupt, iteration);
            hook.interrupt();
            return new Leaving<>(context, iteration);
        }
        return ending == null ? null : new Parting<>(context, iteration);
    }

    @Override
    public void abandon() {
        hook.interrupt();
    }
}
