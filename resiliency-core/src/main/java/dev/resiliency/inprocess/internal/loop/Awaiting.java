package dev.resiliency.inprocess.internal.loop;

import static java.util.Objects.requireNonNull;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.protocol.Outcome;
import dev.resiliency.store.BarrierTimeoutException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The worker has ended and the outcome is open: others still run, or the fault is being recorded. */
final class Awaiting<R> implements Stage<R> {
    private final LoopContext<R> context;
    private final Iteration<R> iteration;
    private final Stopwatch since;
    /** The arrival at the completion barrier; done if this rank has nothing to complete. */
    private final CompletableFuture<?> completion;

    private final WaitReport report;

    Awaiting(LoopContext<R> context, Iteration<R> iteration) {
        this.context = context;
        this.iteration = iteration;
        this.since = context.startStopwatch();
        this.completion = context.waker().wakeWhenDone(complete(context, iteration));
        this.report = new WaitReport(
                context, since, "complete", () -> context.member().missingAtCompletion(iteration.number()));
    }

    private static CompletableFuture<?> complete(LoopContext<?> context, Iteration<?> iteration) {
        boolean hasReturned = requireNonNull(iteration.worker().ending()).thrown() == null;
        return hasReturned && iteration.state().isActive()
                ? context.member()
                        .complete(iteration.number(), context.timings().completionTimeout())
                : CompletableFuture.completedFuture(null);
    }

    @Override
    public LoopState state() {
        return LoopState.AWAITING;
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
        if (context.departure().heedAlarm(iteration)) {
            return leave();
        }
        Outcome outcome = iteration.outcome();
        if (outcome != null) {
            completion.cancel(true);
            return outcome == Outcome.COMPLETED
                    ? new Finishing<>(context, iteration)
                    : new LastCall<>(context, iteration);
        }
        iteration.interruptIfRankLost();
        Throwable refusal = iteration.failureOfClaim();
        Throwable failure = refusal == null ? Futures.failureOf(completion) : refusal;
        if (failure instanceof BarrierTimeoutException late) {
            iteration.interrupt(Interruption.Kind.COMPLETION_TIMEOUT, String.valueOf(late.getMessage()));
        } else if (failure != null) {
            context.departure().decide(failure, iteration);
            return leave();
        } else if (!completion.isDone()) {
            report.step(); // not on a reserve, which waits as long as the others train
        }
        return null;
    }

    private Stage<R> leave() {
        completion.cancel(true);
        return new Aborting<>(context, iteration);
    }

    @Override
    public void afterAWhile() {
        iteration.next().askAhead();
    }

    @Override
    public void abandon() {
        completion.cancel(true);
    }
}
