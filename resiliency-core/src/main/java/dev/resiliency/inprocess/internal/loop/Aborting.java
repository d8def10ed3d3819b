package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.WorkerStuckException;
import dev.resiliency.inprocess.internal.worker.WorkerAbort;
import org.jspecify.annotations.Nullable;

/** No further atomic section can begin; once none runs, the abort actions unblock the worker. */
final class Aborting<R> extends Stage<R> {
    private final Iteration<R> iteration;
    private final RestartTimer timer;
    private final WorkerAbort abort;

    /** Enters the stage without a last call, on a rank that leaves. */
    Aborting(LoopContext<R> context, Iteration<R> iteration) {
        this(context, iteration, new RestartTimer(context.clock()));
    }

    /** Enters the stage after a last call. */
    Aborting(LoopContext<R> context, Iteration<R> iteration, RestartTimer timer) {
        super(context, LoopState.ABORTING, iteration);
        this.iteration = iteration;
        this.timer = timer;
        this.abort = new WorkerAbort(
                iteration.call(),
                iteration.worker(),
                () -> context.userCode()
                        .startAborts(iteration.call(), context.announcements().prefix(), context.clock()),
                context.announcements().prefix(),
                context.timings().hardTimeout(),
                since());
        iteration.ended("LEFT");
    }

    @Override
    @Nullable
    Stage<R> next() {
        context.departure().heedAlarm(iteration);
        try {
            abort.proceed();
        } catch (WorkerStuckException stuck) {
            context.departure().decide(stuck, iteration);
            return new Leaving<>(context, iteration);
        }
        if (!abort.isDone()) {
            return null;
        }
        abort.reportStuck();
        timer.end(Phase.ABORT);
        return new Stopping<>(context, iteration, timer, abort);
    }

    @Override
    long untilNextCheck() {
        return WorkerAbort.INTERVAL.toNanos();
    }

    @Override
    void abandon() {
        iteration.worker().interrupt();
    }
}
