package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.RestartReport.Phase;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A pause before the next iteration, as the function has failed at once several times in a row. */
final class BackingOff<R> extends Stage<R> {
    private final Stopped<R> restart;
    private final Duration pause;

    BackingOff(LoopContext<R> context, Stopped<R> restart, Duration pause) {
        super(context, LoopState.BACKING_OFF, restart.iteration());
        this.restart = restart;
        this.pause = pause;
        context.supervision().end();
        context.announcements()
                .backsOff(
                        restart.iteration().state().jobRestarts() + 1,
                        context.backOff().failuresInARow(),
                        pause);
    }

    @Override
    @Nullable
    Stage<R> next() {
        if (context.departure().heedAlarm(restart.iteration())
                || context.departure().heedRequest(restart.iteration())) {
            return new Leaving<>(context, iteration());
        }
        if (!since().hasReached(pause)) {
            return null;
        }
        restart.timer().end(Phase.BACK_OFF);
        return Regrouping.after(context, restart);
    }

    @Override
    long untilNextCheck() {
        return since().nanosUntil(pause);
    }
}
