package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.worker.Worker;
import org.jspecify.annotations.Nullable;

/** All active ranks have completed; completion hooks run. */
final class Finishing<R> extends Stage<R> {
    private final Iteration<R> iteration;
    private final HookRun<R> hook;

    Finishing(LoopContext<R> context, Iteration<R> iteration) {
        super(context, LoopState.FINISHING, iteration);
        this.iteration = iteration;
        iteration.ended("COMPLETED");
        context.announcements().completed(iteration.state());
        this.hook = new HookRun<>(context.supervision(), context.userCode().startCompletion(iteration.state()));
    }

    @Override
    @Nullable
    Stage<R> next() {
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
    void abandon() {
        hook.interrupt();
    }
}
