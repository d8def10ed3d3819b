package dev.resiliency.inprocess.internal.loop;

import static java.util.Objects.requireNonNull;

import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.WorkerStuckException;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.internal.worker.WorkerAbort;
import dev.resiliency.inprocess.internal.worker.WorkerStop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The worker is interrupted repeatedly until it has ended. */
final class Stopping<R> extends Stage<R> {
    private final Iteration<R> iteration;
    private final RestartTimer timer;
    private final WorkerStop stop;

    Stopping(LoopContext<R> context, Iteration<R> iteration, RestartTimer timer, WorkerAbort abort) {
        super(context, LoopState.STOPPING, iteration);
        this.iteration = iteration;
        this.timer = timer;
        this.stop = new WorkerStop(abort, context.timings(), ThreadControl.find(), since());
    }

    @Override
    @Nullable
    Stage<R> next() {
        Departure departure = context.departure();
        departure.heedAlarm(iteration);
        try {
            stop.proceed();
        } catch (WorkerStuckException stuck) {
            departure.decide(stuck, iteration);
            return new Leaving<>(context, iteration);
        }
        if (!stop.isDone()) {
            return null;
        }
        Throwable thrown = requireNonNull(iteration.worker().ending()).thrown();
        // A health check that was stopped says nothing about this rank's health, so it runs again.
        if (thrown != null && Faults.endsRank(thrown) && !Faults.isVerdictOnHealth(thrown)) {
            iteration.explain(thrown);
            departure.decide(thrown, iteration);
        }
        if (departure.isDecided()) {
            return new Leaving<>(context, iteration);
        }
        if (thrown != null && Faults.isFromBeforeTheStop(thrown)) {
            iteration.hadFailedBeforeTheStop(thrown);
        }
        iteration.recordThrownAtTheStop();
        timer.end(Phase.STOP);
        return Settling.finalizing(context, new Stopped<>(iteration, timer, stop.stoppedBy(), List.of()));
    }

    @Override
    long untilNextCheck() {
        return stop.untilNextStep();
    }

    @Override
    void abandon() {
        iteration.worker().interrupt();
    }
}
