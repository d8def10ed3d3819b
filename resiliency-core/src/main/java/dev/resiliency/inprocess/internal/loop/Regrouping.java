package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.TooFewRanksException;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import dev.resiliency.inprocess.internal.protocol.Member.Rendezvous;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Waits at the barrier before an iteration, and for the decision of the leader; the lowest rank is the leader. */
final class Regrouping<R> extends Stage<R> {
    /** After this time, a waiting rank requests an answer within the remaining limit of the barrier. */
    private static final Duration LONG_WAIT = Duration.ofSeconds(10);

    private final @Nullable Stopped<R> restart;
    private final NextIteration next;
    /** The members of the iteration before; the founders before the first. */
    private final IndexSet members;

    private final CompletableFuture<Regrouped> decision;
    private final CompletableFuture<Boolean> arrival;
    private final Leadership leadership;
    private final WaitReport report;
    /** Null until the wait is a long one. */
    private @Nullable CompletableFuture<?> limitedWait;
    /** Repeated once founders have been awaited for long enough. */
    private final RepeatedRequest<Rendezvous> rendezvous;

    /** Enters the stage after {@code restart}; null if this rank founds the job with others. */
    Regrouping(LoopContext<R> context, @Nullable Stopped<R> restart) {
        this(
                context,
                restart,
                restart == null ? first(context) : restart.iteration().next());
    }

    /** Enters the stage before this iteration. */
    Regrouping(LoopContext<R> context, @Nullable Stopped<R> restart, NextIteration next) {
        super(
                context,
                restart == null ? LoopState.FOUNDING : LoopState.REGROUPING,
                restart == null ? null : restart.iteration());
        this.restart = restart;
        this.next = next;
        this.members = next.membersBefore();
        this.decision = next.askOnce();
        this.arrival = context.waker().wakeWhenDone(context.member().arrive(next.number()));
        this.leadership = new Leadership(context, next.number(), members, since());
        this.report = new WaitReport(
                context,
                members,
                since(),
                restart == null ? "join the job" : "reach iteration " + next.number(),
                this::whatIsAwaited);
        this.rendezvous = RepeatedRequest.onLossOrAfter(
                LONG_WAIT,
                context,
                () -> context.member()
                        .goOnWithout(
                                context.elasticity().minRanks(),
                                context.elasticity().rendezvousTimeout()));
        context.supervision().end();
    }

    /** Returns the stage after a restart's worker has stopped: this one, unless the store is lost. */
    static <R> Stage<R> after(LoopContext<R> context, Stopped<R> restart) {
        return context.voter().isAdrift() ? new Refounding<>(context, restart) : new Regrouping<>(context, restart);
    }

    private static NextIteration first(LoopContext<?> context) {
        Identity identity = context.identity();
        return new NextIteration(
                context,
                identity.generation().firstIteration(),
                context.userCode().kept().areCarried() ? State.Entry.SURVIVED : State.Entry.FOUNDED,
                identity.rank(),
                context.member().founders(),
                null);
    }

    private CompletableFuture<String> whatIsAwaited() {
        return context.member()
                .missing(next.number(), members)
                .thenCompose(missing -> missing.isEmpty()
                        ? context.member()
                                .leaderWait(next.number())
                                .thenApply(wait -> wait.reason().isEmpty()
                                        ? "all are there, and the leader decides"
                                        : "the leader waits up to %d s for ranks to join, since %s"
                                                .formatted(wait.atMost().toSeconds(), wait.reason()))
                        : CompletableFuture.completedFuture(WaitReport.named(missing)));
    }

    @Override
    @Nullable
    Stage<R> next() {
        try {
            // In this order: a discarded rank first learns of that, and a moment later that it is among the terminated
            // ranks. If the latter is the alarm read here, the decision has already arrived.
            Throwable alarm = context.departure().alarm();
            if (decision.isDone()) {
                return enter(Futures.resultOf(decision));
            }
            checkRequests();
            if (cameTooLate(alarm)) {
                return comeAgain();
            }
            goOnWithoutMissing();
            if (alarm != null) {
                return leave(alarm);
            }
            if (restart == null && context.departure().heedRequest(null)) {
                return new Leaving<>(context, null);
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
        // Only the leader knows when the barrier was complete: to say so to the others would cost another fan-out.
        endPhase(leadership.hasDecided() ? Phase.ASSIGN : Phase.BARRIER);
        return Agreeing.enter(context, next, regrouped, restart);
    }

    /** Returns whether the others have begun without this founder. */
    private boolean cameTooLate(@Nullable Throwable alarm) {
        boolean isRefused = arrival.isDone() && !Futures.resultOf(arrival);
        return isRefused || (alarm instanceof RankFencedException && mayGoOnWithoutMissing());
    }

    /** The others have begun without this rank, just before it arrived: now it can join them. */
    private Stage<R> comeAgain() {
        decision.cancel(true);
        return new Closed<>(context, null, true);
    }

    private Stage<R> leave(Throwable because) {
        context.departure().decide(because, iteration());
        if (!context.voter().isAdrift() || context.departure().isDecided()) {
            return new Leaving<>(context, iteration());
        }
        return restart == null ? comeAgain() : new Refounding<>(context, restart);
    }

    /** Throws if no decision is possible: the store rejects this rank, or others have not stopped in time. */
    private void checkRequests() {
        Futures.throwFailureOf(arrival);
        if (limitedWait != null) {
            Futures.throwFailureOf(limitedWait);
        }
        leadership.checkPublished();
    }

    /**
     * After the rendezvous timeout, the lowest founder that has come goes on without those that have not, if enough
     * have. All try again: the lowest may die, or another may arrive in that moment.
     */
    private void goOnWithoutMissing() {
        if (!mayGoOnWithoutMissing()) {
            return;
        }
        Duration timeout = context.elasticity().rendezvousTimeout();
        Rendezvous found = since().hasReached(timeout) ? rendezvous.step() : null;
        if (found == null) {
            return;
        }
        if (found.came().size() < context.elasticity().minRanks()) {
            throw new TooFewRanksException(
                    found.came().size(), context.elasticity().minRanks(), found.came(), IndexSet.empty(), timeout);
        }
    }

    private boolean mayGoOnWithoutMissing() {
        return restart == null && context.admitsJoiners();
    }

    private void limitLongWait() {
        if (limitedWait == null && untilLongWait() <= 0) {
            Duration limit = limit();
            Duration rest = Duration.ofNanos(Math.max(0, since().nanosUntil(limit)));
            limitedWait = context.waker()
                    .wakeWhenDone(context.member().awaitDecisionWithin(next.number(), next.position(), rest, limit));
        }
    }

    /** Returns how long this rank waits; at the beginning the founders have time to come. */
    private Duration limit() {
        Duration barrier = context.timings().barrierTimeout();
        return mayGoOnWithoutMissing()
                ? context.elasticity().rendezvousTimeout().plus(barrier)
                : barrier;
    }

    private void lead() {
        leadership.assumeIfLowest();
        if (leadership.canDecide()) {
            endPhase(Phase.BARRIER);
            leadership.decide();
        }
    }

    private void endPhase(Phase phase) {
        if (restart != null) {
            restart.timer().end(phase);
        }
    }

    @Override
    long untilNextCheck() {
        long untilDue = Math.min(leadership.untilNextCheck(), untilRendezvousIsOver());
        return limitedWait == null ? Math.min(untilDue, untilLongWait()) : untilDue;
    }

    private long untilRendezvousIsOver() {
        long left = mayGoOnWithoutMissing()
                ? since().nanosUntil(context.elasticity().rendezvousTimeout())
                : Long.MAX_VALUE;
        return left > 0 ? left : Long.MAX_VALUE; // from then on the usual interval suffices
    }

    private long untilLongWait() {
        return Math.min(since().nanosUntil(LONG_WAIT), since().nanosUntil(limit()));
    }
}
