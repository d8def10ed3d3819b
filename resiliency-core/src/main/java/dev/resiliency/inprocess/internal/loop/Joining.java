package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.jfr.JoinEvent;
import dev.resiliency.inprocess.internal.protocol.Decision;
import dev.resiliency.inprocess.internal.protocol.Joiner.Admitted;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import dev.resiliency.inprocess.internal.worker.Worker;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Waits until the leader of the running job admits this process, however long that takes; or until the job is complete,
 * or all its members have died or left.
 */
final class Joining<R> extends Stage<R> {
    private static final Duration REPORT = Duration.ofSeconds(10);

    /** Whether the store knows of this process; replaced when it joins after it has been held back. */
    private CompletableFuture<?> announced;

    private final CompletableFuture<Admitted> admission;
    /** Null if it is not recorded. */
    private final @Nullable JoinEvent event;

    /** Written by the store's thread. */
    private volatile boolean isFinished;
    /** Written by the store's thread. */
    private volatile boolean isSucceeded;

    /** Null until this process is admitted. */
    private @Nullable NextIteration next;
    /** All who wait look whether any member is left; the first to find none moves the job on. */
    private final RepeatedRequest<Boolean> succession;
    /** Repeated once the founders have been awaited for long enough: the last of them may die later. */
    private final RepeatedRequest<Boolean> rendezvous;

    private boolean hasSaidThatItWaits;
    private boolean hasReported;
    /** How long this process waits before the leader learns of it. */
    private final Duration holdBack;

    private boolean isHeldBack;
    /** Null if there is nothing to prepare. Not supervised: nobody waits for it. */
    private final @Nullable Worker<R> preparation;

    Joining(LoopContext<R> context) {
        super(context, LoopState.JOINING, null);
        this.event = context.announcements().joinOf();
        this.holdBack = context.probation().holdBack(context.timings().firstStepTimeout());
        this.preparation = context.userCode().startPrepare();
        this.isHeldBack = !holdBack.isZero() || preparation != null;
        this.admission = context.waker().wakeWhenDone(context.joiner().awaitAdmission());
        this.announced = context.waker()
                .wakeWhenDone(context.joiner()
                        .announce(
                                () -> {
                                    isFinished = true;
                                    context.waker().wake();
                                },
                                () -> {
                                    isSucceeded = true;
                                    context.waker().wake();
                                },
                                !isHeldBack));
        this.succession = RepeatedRequest.onLoss(context, () -> context.joiner().succeedIfOver());
        this.rendezvous = RepeatedRequest.onLoss(context, () -> context.joiner().endRendezvousOfTheDead());
        context.supervision().end();
        if (preparation != null) {
            context.announcements().preparesToJoin();
        } else if (isHeldBack) {
            context.announcements().holdsBack(holdBack);
        }
    }

    @Override
    @Nullable
    Stage<R> next() {
        try {
            Throwable alarm = context.departure().alarm();
            boolean isAdmitted = next != null || admission.isDone();
            sayThatItWaits();
            if (isAdmitted) {
                Stage<R> entered = enter();
                if (entered != null || alarm == null) {
                    return entered;
                }
            }
            if (alarm != null) {
                return leave(alarm);
            }
            if (context.departure().heedRequest(null)) {
                endWaits();
                return Leaving.withoutHook(context, null);
            }
            Futures.throwFailureOf(announced);
            Worker.Ending<R> prepared = preparation == null ? null : preparation.ending();
            if (prepared != null && prepared.thrown() != null) {
                return leave(prepared.thrown());
            }
            if (isHeldBack && since().hasReached(holdBack) && (preparation == null || prepared != null)) {
                join();
            }
            if (isFinished) {
                context.announcements().cameTooLate();
                return close(false);
            }
            if (isSucceeded) {
                context.announcements().generationIsOver();
                return close(true);
            }
            lookForTheEnd();
            report();
            return null;
        } catch (RuntimeException e) {
            return leave(e);
        }
    }

    private @Nullable Stage<R> enter() {
        NextIteration admitted = next;
        if (admitted == null) {
            Admitted how = Futures.resultOf(admission);
            admitted = new NextIteration(
                    context, how.iteration(), State.Entry.JOINED, how.position(), IndexSet.empty(), null);
            next = admitted;
            if (event != null) {
                event.admitted();
            }
        }
        CompletableFuture<Regrouped> decision = admitted.askOnce();
        if (!decision.isDone()) {
            return null;
        }
        Regrouped regrouped = Futures.resultOf(decision);
        if (event != null && regrouped.decision() instanceof Decision.Placed placed) {
            event.record(placed.state());
        }
        return Agreeing.enter(context, admitted, regrouped, null);
    }

    private void join() {
        isHeldBack = false;
        announced = context.waker().wakeWhenDone(context.joiner().join());
    }

    /** Looks whether the generation has ended without a founder or a member that could say so. */
    private void lookForTheEnd() {
        if (announced.isDone()) {
            succession.step();
        }
        if (since().hasReached(context.elasticity().rendezvousTimeout())) {
            rendezvous.step();
        }
    }

    /** Says that it waits, once the store knows of it. */
    private void sayThatItWaits() {
        if (!isHeldBack && !hasSaidThatItWaits && announced.isDone()) {
            hasSaidThatItWaits = true;
            context.announcements().waitsToJoin();
        }
    }

    /** Says what it waits for, once: a spare waits for days. */
    private void report() {
        if (!isHeldBack && !hasReported && since().hasReached(REPORT)) {
            hasReported = true;
            context.announcements().stillWaitsToJoin(since().elapsed());
        }
    }

    @Override
    long untilNextCheck() {
        return isHeldBack && !since().hasReached(holdBack) ? since().nanosUntil(holdBack) : Long.MAX_VALUE;
    }

    private Stage<R> close(boolean comesAgain) {
        endWaits();
        return new Closed<>(context, null, comesAgain);
    }

    private Stage<R> leave(Throwable because) {
        endWaits();
        if (context.voter().joinsElsewhereAfter(because)) {
            return new Closed<>(context, null, true);
        }
        context.departure().decide(because, null);
        return Leaving.withoutHook(context, null);
    }

    private void endWaits() {
        admission.cancel(true);
        if (preparation != null) {
            preparation.interrupt();
        }
    }

    @Override
    void abandon() {
        endWaits();
    }
}
