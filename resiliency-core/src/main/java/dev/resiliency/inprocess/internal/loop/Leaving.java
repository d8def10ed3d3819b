package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.worker.Worker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** This rank gives up, as its {@link Departure} says: the others are being notified, terminate hooks run. */
final class Leaving<R> extends Stage<R> {
    /** The limit for the hooks of a rank that leaves, and for the store's answer to its farewell. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final Logger LOG = SafeLog.of(Leaving.class);

    private final HookRun<R> hook;

    /** Leaves the job from iteration {@code last}; null if this rank was in none. */
    Leaving(LoopContext<R> context, @Nullable Iteration<R> last) {
        this(context, last, last == null ? null : context.userCode().startTerminate(last.state()));
    }

    private Leaving(LoopContext<R> context, @Nullable Iteration<R> last, @Nullable Worker<R> terminate) {
        super(context, LoopState.LEAVING, last);
        this.hook = new HookRun<>(context.supervision(), terminate);
    }

    /** Leaves after a defect of the loop. No hook runs, as other user code may still be running. */
    static <R> Leaving<R> withoutHook(LoopContext<R> context, @Nullable Iteration<R> last) {
        return new Leaving<>(context, last, null);
    }

    @Override
    @Nullable
    Stage<R> next() {
        Worker.Ending<R> ending = hook.ending();
        boolean isDone = ending != null && context.departure().isAnnounced();
        if (!isDone && !since().hasReached(LIMIT)) {
            return null;
        }
        if (ending == null) {
            LOG.warn(
                    "{} the terminate hook has not ended after {} and is left behind",
                    context.announcements().prefix(),
                    LIMIT);
        } else if (ending.thrown() != null) {
            LOG.warn("{} the terminate hook failed", context.announcements().prefix(), ending.thrown());
        }
        return new Closed<>(context, iteration(), context.departure().comesAgain());
    }

    @Override
    void abandon() {
        hook.interrupt();
    }
}
