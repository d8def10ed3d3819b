package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import dev.resiliency.inprocess.internal.worker.Worker;
import dev.resiliency.monitor.spi.StampWriter;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The worker has ended: finalize hooks run, then the health check. */
final class Settling<R> extends Stage<R> {
    private final Stopped<R> restart;
    private final Phase phase;
    private final Supplier<Stage<R>> following;
    private final HookRun<R> hook;

    private Settling(
            LoopContext<R> context,
            Stopped<R> restart,
            LoopState state,
            Phase phase,
            @Nullable Worker<R> hook,
            Supplier<Stage<R>> following) {
        super(context, state, restart.iteration());
        this.restart = restart;
        this.phase = phase;
        this.following = following;
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
                                Math.max(
                                        call.safePoints().first(),
                                        StampWriter.ofThisProcess().reached()),
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
    @Nullable
    Stage<R> next() {
        Departure departure = context.departure();
        Worker.Ending<R> ending = hook.ending();
        if (ending != null && ending.thrown() != null) {
            departure.decide(ending.thrown(), iteration());
        }
        if (departure.heedAlarm(restart.iteration())) {
            hook.interrupt();
            return new Leaving<>(context, iteration());
        }
        if (ending == null) {
            return null;
        }
        if (departure.heedRequest(restart.iteration())) {
            return new Leaving<>(context, iteration());
        }
        restart.timer().end(phase);
        return following.get();
    }

    @Override
    void abandon() {
        hook.interrupt();
    }
}
