package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.settings.Settings;
import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.internal.worker.UserCode;
import dev.resiliency.inprocess.internal.worker.Worker;
import java.time.Duration;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The restart loop of one rank: goes from one {@link Stage} to the next.
 *
 * <p>It never blocks and runs no user code. {@link #step} looks at what has happened and passes through as many stages
 * as it can; whatever it waits for (the store, a worker, an abort action, an alarm) wakes the calling thread. This is
 * the monitor thread, which owns all fields.
 */
public final class RestartLoop<R> {
    /** After this time, a stage does what need not be done at once. */
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private final LoopContext<R> context;
    private Stage<R> stage;

    private RestartLoop(LoopContext<R> context, Stage<R> first) {
        this.context = context;
        this.stage = first;
    }

    /**
     * Creates a loop at the initial barrier, where the others learn that this rank has come.
     *
     * @param onIteration receives the number of each iteration before it starts
     */
    public static <R> RestartLoop<R> start(
            Settings settings,
            RestartStore store,
            UserCode<R> userCode,
            Clock clock,
            Waker waker,
            Announcements announcements,
            IntConsumer onIteration) {
        Environment environment = settings.environment();
        StoreHost host = new StoreHost();
        Departure departure =
                new Departure(store.terminations(), waker, clock, announcements, environment.rank(), host);
        TerminatedRanks terminated = new TerminatedRanks(gone -> {
            if (gone.contains(environment.rank())) {
                departure.raise(new RankFencedException(environment.rank()));
            }
            waker.wake();
        });
        LoopContext<R> context = new LoopContext<>(
                environment,
                settings.rankAssignment(),
                settings.timings(),
                store.member(),
                store.leader(),
                userCode,
                clock,
                waker,
                onIteration,
                announcements,
                departure,
                new Supervision(waker),
                terminated,
                new BackOff(settings.timings().barrierTimeout()));
        context.member().watchHost(environment.masterAddress(), environment.masterPort(), host);
        context.member().watchTerminated(terminated);
        return new RestartLoop<>(context, new Regrouping<>(context, null));
    }

    /**
     * Proceeds as far as possible.
     *
     * @return the nanoseconds after which it must be called again at the latest, even if nothing wakes the thread
     */
    @SuppressWarnings("CatchingUnchecked") // user code in other languages than Java may throw checked exceptions
    public long step() {
        try {
            for (Stage<R> next = stage.next(); next != null; next = stage.next()) {
                enter(next);
            }
            if (stage.since().hasReached(A_WHILE)) {
                context.announcements().flush();
                stage.afterAWhile();
            }
        } catch (Throwable defect) {
            leaveBecauseOf(defect);
        }
        long interval = context.timings().monitorThreadInterval().toNanos();
        return Math.min(stage.untilNextCheck(), interval);
    }

    private void enter(Stage<R> next) {
        context.announcements().moved(state(), next.state());
        stage = next;
    }

    /** A defect of this library must not leave the others waiting for this rank. */
    private void leaveBecauseOf(Throwable defect) {
        Stage<R> failed = stage;
        context.departure()
                .decide(
                        new ResiliencyException("the restart loop failed; this is a defect of the library", defect),
                        failed.iteration());
        failed.abandon();
        stage = failed instanceof Leaving
                ? new Closed<>(context, failed.iteration())
                : Leaving.withoutHook(context, failed.iteration());
    }

    public LoopState state() {
        return stage.state();
    }

    /** Returns the function's result, once the loop is closed; null on an inactive rank, and on one that left. */
    @Nullable
    public R result() {
        Iteration<R> last = stage.iteration();
        Worker.Ending<R> ending = last == null ? null : last.worker().ending();
        return context.departure().isDecided() || ending == null ? null : ending.result();
    }

    /** Returns why this rank left; null if it has not. */
    @Nullable
    public Throwable departure() {
        return context.departure().reason();
    }

    /** Makes this rank leave; the first reason counts. From any thread. */
    public void raise(Throwable reason) {
        context.departure().raise(reason);
    }

    /** Returns the supervision that connects this loop with the watchdog. */
    public Supervision supervision() {
        return context.supervision();
    }
}
