package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import dev.resiliency.inprocess.internal.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The worker has ended: finalize hooks run, then the health check. */
final class Settling<R> implements Stage<R> {
    private final LoopContext<R> context;
    private final Stopped<R> restart;
    private final LoopState state;
    private final Phase phase;
    private final Supplier<Stage<R>> following;
    private final Stopwatch since;
    private final HookRun<R> hook;

    private Settling(
            LoopContext<R> context,
            Stopped<R> restart,
            LoopState state,
            Phase phase,
            @Nullable Worker<R> hook,
            Supplier<Stage<R>> following) {
        this.context = context;
        this.restart = restart;
        this.state = state;
        this.phase = phase;
        this.following = following;
        this.since = context.startStopwatch();
        this.hook = new HookRun<>(context.supervision(), hook);
    }

    /** Starts the finalize hooks; the health check follows. */
    static <R> Settling<R> finalizing(LoopContext<R> context, Stopped<R> restart) {
        return new Settling<>(
                context,
                restart,
                LoopState.FINALIZING,
                Phase.FINALIZE,
                context.userCode().startFinalize(restart.iteration().stateAfterwards()),
                () -> checkingHealth(context, restart));
    }

    private static <R> Settling<R> checkingHealth(LoopContext<R> context, Stopped<R> restart) {
        return new Settling<>(
                context,
                restart,
                LoopState.CHECKING_HEALTH,
                Phase.HEALTH_CHECK,
                context.userCode().startHealthCheck(restart.iteration().stateAfterwards()),
                () -> regroup(context, restart));
    }

    private static <R> Stage<R> regroup(LoopContext<R> context, Stopped<R> restart) {
        Iteration<R> ended = restart.iteration();
        List<String> threads = context.userCode().leftThreads();
        if (context.leftThreads().grow(threads.size())) {
            context.announcements().leavesThreads(threads);
        }
        if (isToWait(context, ended)) {
            context.departure()
                    .decideToWait(
                            "it has cost the job %d restarts and made no step since it joined; it waits and joins again"
                                    .formatted(Probation.RESTARTS),
                            ended);
            return Leaving.withoutHook(context, ended);
        }
        IterationCall call = ended.call();
        Duration pause = context.backOff()
                .after(
                        ended.hasFailed(),
                        new BackOff.Attempt(
                                call.safePoints().first(),
                                call.pings(),
                                ended.since().elapsed()));
        Throwable fault = ended.lastFault();
        if (context.backOff().isInVain(fault)) {
            context.departure().decide(Faults.inVain(context.backOff().failuresInARow(), fault), ended);
            return new Leaving<>(context, ended);
        }
        return pause.isZero() ? Regrouping.after(context, restart) : new BackingOff<>(context, restart, pause);
    }

    private static boolean isToWait(LoopContext<?> context, Iteration<?> ended) {
        return context.identity().isJoiner()
                && ended.state().activeWorldSize() > context.elasticity().minRanks()
                && context.probation()
                        .fails(
                                ended.firstStep().isMade(),
                                ended.hasFailed() || ended.firstStep().isMissed());
    }

    @Override
    public LoopState state() {
        return state;
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
        Departure departure = context.departure();
        Worker.Ending<R> ending = hook.ending();
        if (ending != null && ending.thrown() != null) {
            departure.decide(ending.thrown(), iteration());
        }
        if (departure.heedAlarm(iteration())) {
            hook.interrupt();
            return new Leaving<>(context, iteration());
        }
        if (ending == null) {
            return null;
        }
        if (departure.heedRequest(iteration())) {
            return new Leaving<>(context, iteration());
        }
        restart.timer().end(phase);
        return following.get();
    }

    @Override
    public void abandon() {
        hook.interrupt();
    }
}
