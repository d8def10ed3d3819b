package dev.resiliency.inprocess.internal.loop;

import static java.util.Objects.requireNonNull;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.protocol.Outcome;
import dev.resiliency.store.BarrierTimeoutException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The worker has ended and the outcome is open: others still run or have not come to the safe point, or the fault is
 * being recorded.
 */
final class Awaiting<R> extends Stage<R> {
    private final Iteration<R> iteration;
    /** The arrival at the barrier of the completion or of the safe point; done if this rank has no reason to arrive. */
    private final CompletableFuture<?> arrival;

    private final WaitReport report;

    Awaiting(LoopContext<R> context, Iteration<R> iteration) {
        super(context, LoopState.AWAITING, iteration);
        this.iteration = iteration;
        this.arrival = context.waker().wakeWhenDone(arrive(context, iteration));
        boolean isSafe = iteration.safePoint().isReached();
        this.report = WaitReport.ofRanks(
                context,
                iteration.members(),
                since(),
                isSafe ? "come to the safe point" : "complete",
                () -> isSafe
                        ? context.safePoints().missing(iteration.number())
                        : context.member().missingAtCompletion(iteration.number()));
    }

    private static CompletableFuture<?> arrive(LoopContext<?> context, Iteration<?> iteration) {
        if (iteration.safePoint().isReached()) {
            return context.safePoints().arrive(iteration.number());
        }
        boolean hasReturned = requireNonNull(iteration.worker().ending()).thrown() == null;
        return hasReturned && iteration.state().isActive()
                ? context.member()
                        .complete(iteration.number(), context.timings().completionTimeout())
                : CompletableFuture.completedFuture(null);
    }

    @Override
    @Nullable
    Stage<R> next() {
        if (context.departure().heedAlarm(iteration)) {
            return leave();
        }
        Outcome outcome = iteration.outcome();
        if (outcome != null) {
            arrival.cancel(true);
            return outcome == Outcome.COMPLETED
                    ? Acknowledging.finish(context, iteration)
                    : new LastCall<>(context, iteration);
        }
        if (context.voter().isAdrift()) {
            return Acknowledging.afterLoss(context, iteration);
        }
        iteration.interruptIfRankLost();
        Throwable refusal = iteration.failureOfClaim();
        Throwable failure = refusal == null ? Futures.failureOf(arrival) : refusal;
        if (failure instanceof BarrierTimeoutException late) {
            iteration.interrupt(Interruption.Kind.COMPLETION_TIMEOUT, String.valueOf(late.getMessage()));
        } else if (failure != null) {
            context.departure().decide(failure, iteration);
            return context.departure().isDecided() ? leave() : Acknowledging.afterLoss(context, iteration);
        } else {
            if (!arrival.isDone() || iteration.safePoint().isReached()) {
                report.step(); // not on a reserve, which waits as long as the others train
            }
            iteration.safePoint().step();
        }
        return null;
    }

    @Override
    long untilNextCheck() {
        return iteration.safePoint().untilNextCheck();
    }

    private Stage<R> leave() {
        arrival.cancel(true);
        return new Aborting<>(context, iteration);
    }

    @Override
    void afterAWhile() {
        iteration.next().askAhead();
        iteration.firstStep().announce();
    }

    @Override
    void abandon() {
        arrival.cancel(true);
    }
}
