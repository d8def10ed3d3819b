package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.protocol.Outcome;
import dev.resiliency.inprocess.internal.watch.Statement;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.internal.worker.Worker;
import org.jspecify.annotations.Nullable;

/** The worker of an iteration runs: initialize hooks, health check, and on an active rank the function. */
final class Running<R> extends Stage<R> {
    private final Iteration<R> iteration;
    private final Recruiting<R> recruiting;

    Running(LoopContext<R> context, Iteration<R> iteration) {
        super(context, LoopState.RUNNING, iteration);
        this.iteration = iteration;
        this.recruiting = new Recruiting<>(context, iteration);
        context.supervision().begin(iteration.worker().thread(), iteration.call());
    }

    @Override
    @Nullable
    Stage<R> next() {
        Worker.Ending<R> ending = iteration.worker().ending();
        if (ending != null && ending.thrown() != null && Faults.endsRank(ending.thrown())) {
            // Before the alarm: if rank 0 left for the same reason, the store may be lost, which is not why this rank
            // leaves.
            context.supervision().end();
            iteration.explain(ending.thrown());
            context.departure().decide(ending.thrown(), iteration);
        } else if (ending != null || iteration.call().hasBegun()) {
            context.announcements().settled();
        }
        if (context.departure().heedAlarm(iteration) || context.voter().isAdrift()) {
            return new Aborting<>(context, iteration);
        }
        if (iteration.outcome() == Outcome.INTERRUPTED) {
            return new LastCall<>(context, iteration);
        }
        iteration.interruptIfRankLost();
        Throwable refusal = iteration.failureOfClaim();
        if (refusal != null) {
            context.departure().decide(refusal, iteration); // the others cannot learn of this rank's fault
            return new Aborting<>(context, iteration);
        }
        iteration.failAsTold();
        if (ending != null) {
            context.supervision().end();
            return afterWorker(ending.thrown());
        }
        Statement hang = context.supervision().hangOf(iteration.worker().thread());
        if (hang != null) {
            iteration.interrupt(iteration.firstStep().reasonsOf(hang));
        }
        iteration.firstStep().step();
        recruiting.step();
        iteration.safePoint().step();
        return null;
    }

    @Override
    long untilNextCheck() {
        return Math.min(recruiting.untilNextCheck(), iteration.safePoint().untilNextCheck());
    }

    private Stage<R> afterWorker(@Nullable Throwable thrown) {
        if (thrown == null || iteration.safePoint().isReached()) {
            return new Awaiting<>(context, iteration);
        }
        iteration.fail(thrown);
        return new Awaiting<>(context, iteration);
    }

    @Override
    void afterAWhile() {
        iteration.next().askAhead();
        iteration.firstStep().announce();
    }

    @Override
    void abandon() {
        iteration.worker().interrupt();
    }
}
