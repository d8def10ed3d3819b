package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RankDiscardedException;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.protocol.Decision;
import dev.resiliency.inprocess.internal.protocol.Leader.WorldBefore;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Waits at the barrier before an iteration, and for the decision of the leader; the lowest rank is the leader. */
final class Regrouping<R> implements Stage<R> {
    /** After this time, a waiting rank requests an answer within the remaining limit of the barrier. */
    private static final Duration LONG_WAIT = Duration.ofSeconds(10);

    private final LoopContext<R> context;
    private final @Nullable Stopped<R> restart;
    private final NextIteration next;
    private final CompletableFuture<Regrouped> decision;
    private final CompletableFuture<?> arrival;
    private final Leadership leadership;
    private final WaitReport report;
    private final Stopwatch since;
    /** Null until the wait is a long one. */
    private @Nullable CompletableFuture<?> limitedWait;

    /** Enters the stage after {@code restart}; null if this rank joins the job. */
    Regrouping(LoopContext<R> context, @Nullable Stopped<R> restart) {
        this.context = context;
        this.restart = restart;
        this.next = restart == null
                ? new NextIteration(context.member(), context.waker(), 0, null)
                : restart.iteration().next();
        this.since = context.startStopwatch();
        this.decision = next.askOnce();
        this.arrival = context.waker().wakeWhenDone(context.member().arrive(next.number()));
        this.leadership = new Leadership(context, next.number());
        this.report = new WaitReport(
                context,
                since,
                restart == null ? "join the job" : "reach iteration " + next.number(),
                () -> context.member().missing(next.number()));
        context.supervision().end();
    }

    @Override
    public LoopState state() {
        return restart == null ? LoopState.JOINING : LoopState.REGROUPING;
    }

    @Override
    public Stopwatch since() {
        return since;
    }

    @Override
    public @Nullable Iteration<R> iteration() {
        return restart == null ? null : restart.iteration();
    }

    @Override
    public @Nullable Stage<R> next() {
        try {
            // In this order: a discarded rank first learns of that, and a moment later that it is among the terminated
            // ranks. If the latter is the alarm read here, the decision has already arrived.
            Throwable alarm = context.departure().alarm();
            if (decision.isDone()) {
                return enter(Futures.resultOf(decision));
            }
            checkRequests();
            if (alarm != null) {
                return leave(alarm);
            }
            limitLongWait();
            report.step();
            lead();
            return null;
        } catch (RuntimeException e) {
            return leave(e);
        }
    }

    private Stage<R> enter(Regrouped regrouped) {
        if (regrouped.decision() instanceof Decision.Discarded discarded) {
            throw new RankDiscardedException(context.environment().rank(), discarded.iteration(), discarded.reason());
        }
        Decision.Placed placed = (Decision.Placed) regrouped.decision();
        endPhase(leadership.hasDecided() ? Phase.ASSIGN : Phase.BARRIER);
        Iteration<R> entered =
                new Iteration<>(context, placed, next.outcome(), iteration(), lastFault(regrouped.interruptions()));
        Running<R> running = new Running<>(context, entered);
        // Only after the worker has started: otherwise logs and listeners would delay every restart.
        if (restart == null) {
            context.announcements().startsWithout(regrouped.interruptions());
        } else {
            context.announcements()
                    .restarted(
                            restart.timer().report(regrouped.interruptions(), restart.stoppedBy(), entered.state()),
                            restart.timer());
        }
        context.announcements().iterationStarted(entered.state());
        context.announcements().roleChanged(placed.change());
        return running;
    }

    private String lastFault(List<Interruption> interruptions) {
        return restart == null || interruptions.isEmpty()
                ? ""
                : interruptions.get(0).toString();
    }

    private Stage<R> leave(Throwable because) {
        context.departure().decide(because, iteration());
        return new Leaving<>(context, iteration());
    }

    /** Throws if no decision is possible: the store rejects this rank, or others have not stopped in time. */
    private void checkRequests() {
        Futures.throwFailureOf(arrival);
        if (limitedWait != null) {
            Futures.throwFailureOf(limitedWait);
        }
        leadership.checkPublished();
    }

    private void limitLongWait() {
        if (limitedWait == null && untilLongWait() <= 0) {
            Duration limit = context.timings().barrierTimeout();
            Duration rest = Duration.ofNanos(Math.max(0, since.nanosUntil(limit)));
            limitedWait =
                    context.waker().wakeWhenDone(context.member().awaitDecisionWithin(next.number(), rest, limit));
        }
    }

    private void lead() {
        leadership.assumeIfLowest();
        WorldBefore before = leadership.worldToAssign();
        if (before != null) {
            endPhase(Phase.BARRIER);
            leadership.decide(before);
        }
    }

    private void endPhase(Phase phase) {
        if (restart != null) {
            restart.timer().end(phase);
        }
    }

    @Override
    public long untilNextCheck() {
        return limitedWait == null ? untilLongWait() : Long.MAX_VALUE;
    }

    private long untilLongWait() {
        return Math.min(
                since.nanosUntil(LONG_WAIT), since.nanosUntil(context.timings().barrierTimeout()));
    }
}
