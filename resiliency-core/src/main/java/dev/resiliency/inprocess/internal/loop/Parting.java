package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.refound.Succession.Moved;
import dev.resiliency.store.BarrierTimeoutException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Waits until all are ready to disconnect, so that the store's host outlives the others. If it has not, this rank tells those who
 * may not know yet that the job is complete, where they found the store anew.
 */
final class Parting<R> extends Stage<R> {
    private static final Logger LOG = SafeLog.of(Parting.class);

    private final Iteration<R> iteration;
    private final CompletableFuture<?> arrival;
    private final WaitReport report;

    Parting(LoopContext<R> context, Iteration<R> iteration) {
        super(context, LoopState.PARTING, iteration);
        this.iteration = iteration;
        this.arrival = context.waker()
                .wakeWhenDone(context.member()
                        .part(iteration.members(), context.timings().barrierTimeout()));
        this.report = WaitReport.ofRanks(
                context,
                iteration.members(),
                since(),
                "finish",
                () -> context.member().missingAtParting(iteration.members()));
        context.supervision().end();
    }

    /** Parts on the store that the others have founded, whose host must know that half have accepted the completion. */
    @SuppressWarnings("FutureReturnValueIgnored") // if the store is lost, all that follows fails, too
    private static <R> Stage<R> there(LoopContext<R> context, Iteration<R> iteration) {
        context.member().acknowledge(iteration.number(), context.timings().barrierTimeout());
        return new Parting<>(context, iteration);
    }

    @Override
    @Nullable
    Stage<R> next() {
        Departure departure = context.departure();
        Throwable failure = arrival.isDone() ? Futures.failureOf(arrival) : departure.alarm();
        if (failure != null && context.voter().votes() && context.voter().goesOnAfter(failure)) {
            return tellOthers(failure);
        }
        if (failure != null) {
            return withoutOthers(failure);
        }
        if (!arrival.isDone()) {
            report.step();
            return null;
        }
        if (context.terminated().isLowestAlive(context.identity().rank(), iteration.members())) {
            context.member().deleteGeneration();
        }
        return new Closed<>(context, iteration);
    }

    private @Nullable Stage<R> tellOthers(Throwable loss) {
        InterruptedException interrupt = context.departure().callersInterrupt();
        if (interrupt != null) {
            return withoutOthers(interrupt);
        }
        Moved moved;
        try {
            moved = context.voter().found();
        } catch (RuntimeException none) {
            return withoutOthers(none);
        }
        if (moved == null) {
            return null;
        }
        return moved.founded().isComplete() && moved.founded().isMember()
                ? there(context.moveTo(moved), iteration)
                : withoutOthers(loss);
    }

    private Stage<R> withoutOthers(Throwable failure) {
        LOG.warn(
                failure instanceof BarrierTimeoutException
                        ? "{} completed, but not all others have"
                        : "{} completed, but could not wait until all others had",
                context.announcements().prefix(),
                context.departure().explain(failure));
        return new Closed<>(context, iteration);
    }
}
