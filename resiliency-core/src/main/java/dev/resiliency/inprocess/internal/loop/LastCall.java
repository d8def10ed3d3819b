package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.internal.worker.Worker;
import org.jspecify.annotations.Nullable;

/** The iteration is interrupted; other faults that happen now are still recorded. */
final class LastCall<R> implements Stage<R> {
    private final LoopContext<R> context;
    private final Iteration<R> iteration;
    private final RestartTimer timer;
    private final Stopwatch since;

    LastCall(LoopContext<R> context, Iteration<R> iteration) {
        this.context = context;
        this.iteration = iteration;
        this.timer = new RestartTimer(context.clock());
        this.since = context.startStopwatch();
        iteration.ended("INTERRUPTED");
        context.announcements().pauses(iteration.state());
    }

    @Override
    public LoopState state() {
        return LoopState.LAST_CALL;
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
        recordFault();
        iteration.sayWhereItStands();
        if (!context.departure().heedAlarm(iteration)
                && !since.hasReached(context.timings().lastCallWait())) {
            return null;
        }
        timer.end(Phase.LAST_CALL);
        return new Aborting<>(context, iteration, timer);
    }

    private void recordFault() {
        iteration.failAsTold();
        Worker.Ending<R> ending = iteration.worker().ending();
        // A reason to leave is recorded when this rank leaves, and whoever stops at the safe point has no fault.
        if (ending != null
                && ending.thrown() != null
                && !Faults.endsRank(ending.thrown())
                && !iteration.safePoint().isReached()) {
            iteration.fail(ending.thrown());
        }
        String outOfMemory = iteration.outOfMemory();
        if (outOfMemory != null) { // then those that have found a hang have waited for this rank
            iteration.interrupt(Interruption.Kind.OUT_OF_MEMORY, outOfMemory);
        }
    }

    @Override
    public long untilNextCheck() {
        return since.nanosUntil(context.timings().lastCallWait());
    }

    @Override
    public void abandon() {
        iteration.worker().interrupt();
    }
}
