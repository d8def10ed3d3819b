package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.store.BarrierTimeoutException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Waits until all are ready to disconnect, so that the store's host outlives the others. */
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

    @Override
    @Nullable
    Stage<R> next() {
        Departure departure = context.departure();
        Throwable failure = arrival.isDone() ? Futures.failureOf(arrival) : departure.alarm();
        if (failure != null) {
            LOG.warn(
                    failure instanceof BarrierTimeoutException
                            ? "{} completed, but not all others have"
                            : "{} completed, but could not wait until all others had",
                    context.announcements().prefix(),
                    departure.explain(failure));
        } else if (!arrival.isDone()) {
            report.step();
            return null;
        } else if (context.terminated().isLowestAlive(context.identity().rank(), iteration.members())) {
            context.member().deleteGeneration();
        }
        return new Closed<>(context, iteration);
    }
}
