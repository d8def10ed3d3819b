package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.internal.worker.Worker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The iteration is interrupted; other faults that happen now are still recorded. */
final class LastCall<R> extends Stage<R> {
    /** A JVM may need half a second to say whether memory has run out, and more on a busy host. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(3);

    private final Iteration<R> iteration;
    private final RestartTimer timer;

    LastCall(LoopContext<R> context, Iteration<R> iteration) {
        super(context, LoopState.LAST_CALL, iteration);
        this.iteration = iteration;
        this.timer = new RestartTimer(context.clock());
        iteration.ended("INTERRUPTED");
        iteration.lookForMemory();
        context.announcements().pauses(iteration.state());
    }

    @Override
    @Nullable
    Stage<R> next() {
        Duration limit = limit(); // before: what becomes known from here on is recorded the next time
        recordFault();
        iteration.sayWhereItStands();
        if (!context.departure().heedAlarm(iteration) && !since().hasReached(limit)) {
            return null;
        }
        timer.end(Phase.LAST_CALL);
        return new Aborting<>(context, iteration, timer);
    }

    /** In a hang, all may have waited for a rank whose memory has run out: that is worth more than a second. */
    private Duration limit() {
        Duration usual = context.timings().lastCallWait();
        return iteration.mayLackMemory() && usual.compareTo(LONGEST_LOOK) < 0 ? LONGEST_LOOK : usual;
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
    long untilNextCheck() {
        return since().nanosUntil(limit());
    }

    @Override
    void abandon() {
        iteration.worker().interrupt();
    }
}
