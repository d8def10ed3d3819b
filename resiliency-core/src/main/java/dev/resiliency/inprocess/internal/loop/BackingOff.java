package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A pause before the next iteration, as the function has failed at once several times in a row. */
final class BackingOff<R> implements Stage<R> {
    private final LoopContext<R> context;
    private final Stopped<R> restart;
    private final Duration pause;
    private final Stopwatch since;

    BackingOff(LoopContext<R> context, Stopped<R> restart, Duration pause) {
        this.context = context;
        this.restart = restart;
        this.pause = pause;
        this.since = context.startStopwatch();
        context.supervision().end();
        context.announcements()
                .backsOff(
                        restart.iteration().state().jobRestarts() + 1,
                        context.backOff().failuresInARow(),
                        pause);
    }

    @Override
    public LoopState state() {
        return LoopState.BACKING_OFF;
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
        if (context.departure().heedAlarm(iteration()) || context.departure().heedRequest(iteration())) {
            return new Leaving<>(context, iteration());
        }
        if (!since.hasReached(pause)) {
            return null;
        }
        restart.timer().end(Phase.BACK_OFF);
        return Regrouping.after(context, restart);
    }

    @Override
    public long untilNextCheck() {
        return since.nanosUntil(pause);
    }
}
