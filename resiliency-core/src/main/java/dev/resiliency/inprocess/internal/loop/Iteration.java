package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.jfr.IterationEvent;
import dev.resiliency.inprocess.internal.protocol.HangRule;
import dev.resiliency.inprocess.internal.protocol.Outcome;
import dev.resiliency.inprocess.internal.watch.Statement;
import dev.resiliency.inprocess.internal.worker.Faults;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import dev.resiliency.inprocess.internal.worker.Worker;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.store.IndexSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One iteration on this rank: its state, its worker, its outcome, its faults. Confined to the monitor thread. */
final class Iteration<R> {
    private final LoopContext<R> context;
    private final State state;
    private final WorldEvent lastEvent;
    private final IndexSet members;
    private final OutcomeRegister outcome;
    private final NextIteration next;
    private final IterationCall call;
    private final Worker<R> worker;
    /** What the function or a hook of this rank threw last, in an iteration before; null if it has not failed. */
    private final @Nullable Throwable faultBefore;
    /** Null once the iteration has ended, or if it is not recorded. */
    private @Nullable IterationEvent event;
    /** Null until this rank records a fault. */
    private @Nullable CompletableFuture<?> claim;

    private boolean hasOwnFault;
    /** Whether this rank has said where it stands. */
    private boolean hasSaid;
    /** Whether what the function, or a step before it, has failed with is recorded. */
    private boolean failed;
    /** Where the function waited before it lost a connection; null if it has lost none, or made progress. */
    private @Nullable Statement waited;

    private final Stopwatch since;
    private final SafePoint<R> safePoint;
    private final FirstStep<R> firstStep;

    /**
     * Starts the worker.
     *
     * @param members the initial ranks of all that take part
     * @param before the previous iteration of this rank; null if this is its first
     * @param lastFault why that one was interrupted; empty if this is the first
     */
    Iteration(
            LoopContext<R> context,
            State placed,
            IndexSet members,
            OutcomeRegister outcome,
            @Nullable Iteration<R> before,
            String lastFault) {
        this.context = context;
        this.state = placed.withFaults(before == null ? 0 : before.faults()).withLastFault(lastFault);
        this.members = members;
        this.faultBefore = before == null ? null : before.lastFault();
        this.lastEvent = lastEvent(before);
        this.outcome = outcome;
        this.next = new NextIteration(
                context,
                state.iteration() + 1,
                State.Entry.SURVIVED,
                state.rank(),
                members,
                before == null ? null : before.outcome);
        context.onIteration().accept(state);
        this.call = new IterationCall(
                state,
                lastEvent,
                context.member().enterUserStore(state.iteration()),
                context.member()::isMember,
                context.waker(),
                context.leaveRequest()::make,
                context.userCode().kept());
        this.worker =
                context.userCode().startIteration(call, context.announcements().entryOf(state));
        this.event = context.announcements().eventOf(state);
        this.since = context.startStopwatch();
        this.safePoint = new SafePoint<>(context, this);
        this.firstStep = new FirstStep<>(
                context,
                this,
                before == null ? IndexSet.empty() : members.minus(before.members),
                before == null ? null : before.firstStep);
    }

    private WorldEvent lastEvent(@Nullable Iteration<R> before) {
        if (before == null) {
            return new WorldEvent.Started(number(), state.activeWorldSize());
        }
        WorldEvent.Changed changed =
                WorldEvents.between(before.state, state, before.members.minus(members), members.minus(before.members));
        return changed == null ? before.lastEvent : changed;
    }

    /** Returns the time since the start. */
    Stopwatch since() {
        return since;
    }

    State state() {
        return state;
    }

    /** Returns the state of this rank with the faults that it had in this iteration. */
    State stateAfterwards() {
        return state.withFaults(faults());
    }

    int number() {
        return state.iteration();
    }

    /** Returns how the world came about in which it runs. */
    WorldEvent lastEvent() {
        return lastEvent;
    }

    /** Returns the initial ranks of all that take part. */
    IndexSet members() {
        return members;
    }

    /** Returns the iteration after this one. */
    NextIteration next() {
        return next;
    }

    /** Returns the outcome; null while the iteration is open. */
    @Nullable
    Outcome outcome() {
        return outcome.outcome();
    }

    IterationCall call() {
        return call;
    }

    Worker<R> worker() {
        return worker;
    }

    SafePoint<R> safePoint() {
        return safePoint;
    }

    FirstStep<R> firstStep() {
        return firstStep;
    }

    /** Returns what this rank has failed with last, in this iteration or one before; null if it has not. */
    @Nullable
    Throwable lastFault() {
        return hasOwnFault ? thrown() : faultBefore;
    }

    private @Nullable Throwable thrown() {
        Worker.Ending<R> ending = worker.ending();
        return ending == null ? null : ending.thrown();
    }

    /** Returns what the function has thrown as it was stopped, and what may be its own fault; null if there is no such thing. */
    @Nullable
    Throwable thrownAtTheStop() {
        Throwable thrown = failed ? null : thrown();
        return thrown == null
                        || Faults.isOfTheStop(thrown)
                        || Faults.kindOf(thrown) == Interruption.Kind.CONNECTION_LOST
                ? null
                : thrown;
    }

    /** Gives a decision to leave that has no cause the last fault of this rank. */
    void explain(Throwable leaving) {
        if (faultBefore != null && leaving instanceof RestartAbort && leaving.getCause() == null) {
            try {
                leaving.initCause(faultBefore);
            } catch (IllegalStateException hasBeenSetToNull) {
                return;
            }
        }
    }

    /** Returns whether this rank itself failed in it. */
    boolean hasFailed() {
        return hasOwnFault;
    }

    /** Returns the number of this rank's own faults in all iterations. */
    private int faults() {
        return state.faults() + (hasOwnFault ? 1 : 0);
    }

    /** Interrupts this iteration because of a fault of this rank. */
    void interrupt(Interruption.Kind kind, String message) {
        interrupt(List.of(interruption(kind, message)));
    }

    /**
     * Interrupts this iteration as its function, or a step before it, has failed; only the first time. If another fault has done so, of
     * this rank or of one that is lost, the others learn of this one, too.
     */
    void fail(Throwable thrown) {
        if (failed) {
            return;
        }
        failed = true;
        Interruption.Kind kind = Faults.kindOf(thrown);
        if (kind == Interruption.Kind.CONNECTION_LOST) {
            waited = context.supervision()
                    .whereItWaited(worker.thread(), context.clock().nanoTime());
        }
        if (claim == null) {
            context.announcements().failed(call.part(), thrown);
            interrupt(kind, Faults.textOf(thrown));
        } else if (kind != Interruption.Kind.CONNECTION_LOST) { // which the other fault explains
            hadFailed(thrown, Faults.textOf(thrown));
        }
    }

    /** As {@link #fail}, if the function has told what it has failed with: that counts before what its cleanup throws. */
    void failAsTold() {
        Throwable failure = call.failure();
        if (failure != null) {
            fail(failure);
        }
    }

    /** Interrupts this iteration for these reasons of this rank. */
    void interrupt(List<Interruption> reasons) {
        if (claim == null) {
            // If others do not complete, that is not a fault of this rank.
            hasOwnFault = reasons.stream()
                    .filter(reason -> reason.rank() == context.identity().rank())
                    .map(Interruption::kind)
                    .anyMatch(kind -> kind.isFault() && kind != Interruption.Kind.COMPLETION_TIMEOUT);
            claim(reasons);
        }
    }

    /** Returns a record about this rank. */
    Interruption interruption(Interruption.Kind kind, String message) {
        return interruption(context.identity().rank(), kind, message);
    }

    /** Records what the function of this rank had thrown before it was stopped in its cleanup. */
    void hadFailedBeforeTheStop(Throwable thrown) {
        if (!failed) {
            failed = true;
            hadFailed(thrown, Faults.textOf(thrown) + ", and its cleanup had not ended");
        }
    }

    /** Records what the function of this rank threw as it was stopped: if nothing else has failed, it had failed before. */
    @SuppressWarnings("FutureReturnValueIgnored") // it arrives before this rank does
    void recordThrownAtTheStop() {
        Throwable thrown = thrownAtTheStop();
        if (thrown != null) {
            context.member().threwAtStop(number(), interruption(Interruption.Kind.EXCEPTION, Faults.textOf(thrown)));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the outcome is known
    private void hadFailed(Throwable thrown, String message) {
        hasOwnFault = true;
        context.announcements().failed(call.part(), thrown);
        context.member().interrupt(number(), List.of(interruption(Interruption.Kind.EXCEPTION, message)));
    }

    /**
     * Rule 3 of the protocol: the death of a member interrupts the iteration, whoever notices it. Whoever reports that death knows more:
     * its monitor process may do so later.
     */
    void interruptIfRankLost() {
        IndexSet lost = context.terminated().among(members);
        if (!lost.isEmpty() && outcome() == null && claim == null) {
            claim(lost.stream()
                    .mapToObj(rank ->
                            new Interruption(rank, Interruption.Kind.TERMINATED, null, "it died or left the job"))
                    .toList());
        }
    }

    /** Returns how memory has run out for the function of this rank; null if it has not. */
    @Nullable
    String outOfMemory() {
        String thread = context.userCode().outOfMemory();
        return thread == null ? context.supervision().outOfMemoryOf(worker.thread()) : thread;
    }

    /** Begins to find out whether memory has run out for the function, if another rank has found a hang: it may have waited for it. */
    void lookForMemory() {
        if (claim == null && outcome.isHang() && worker.ending() == null) {
            context.supervision().look(worker.thread());
        }
    }

    /** Returns whether another rank has found a hang while it is not known if memory has run out for the function of this one. */
    boolean mayLackMemory() {
        return claim == null && outcome.isHang() && context.supervision().isLooking();
    }

    /**
     * Says where the function of this rank stands, if another rank has found a hang: it may have waited for this one. If the others have
     * closed their connections to it already, as they stop, where it stood. Only the first time. The others learn of it with the
     * decision about the next iteration, which nobody makes before this rank arrives.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the outcome is known
    void sayWhereItStands() {
        boolean runs = claim == null && worker.ending() == null;
        if (hasSaid || !outcome.isHang() || !(runs || waited != null)) {
            return;
        }
        hasSaid = true;
        Statement said = runs
                ? context.supervision()
                        .whereItStands(worker.thread(), context.clock().nanoTime())
                : waited;
        if (said != null) {
            Interruption.Kind kind = HangRule.kindOf(said.standing());
            hasOwnFault |= kind == Interruption.Kind.SOFT_TIMEOUT;
            context.member().interrupt(number(), List.of(interruption(kind, said.text(), said.standing())));
        }
    }

    /** Returns a record that this rank makes no progress, which may be so as memory has run out. */
    Interruption hang(Statement found) {
        String outOfMemory = outOfMemory();
        Standing standing = found.standing();
        return outOfMemory == null
                ? interruption(HangRule.kindOf(standing), found.text(), standing)
                : interruption(Interruption.Kind.OUT_OF_MEMORY, outOfMemory + "; " + found.text(), standing);
    }

    private Interruption interruption(Interruption.Kind kind, String message, Standing standing) {
        return new Interruption(context.identity().rank(), kind, context.clock().now(), message, standing);
    }

    Interruption interruption(int rank, Interruption.Kind kind, String message) {
        return new Interruption(rank, kind, context.clock().now(), message);
    }

    /**
     * Records faults and claims the outcome. The first claim stands; the records are kept in any case, for faults that
     * happen at once.
     */
    private void claim(List<Interruption> faults) {
        context.announcements().recorded(state, faults);
        claim = context.waker()
                .wakeWhenDone(context.member().interrupt(number(), faults).thenAccept(outcome::settle));
    }

    /** Returns why the store rejected the faults that this rank recorded; null if it has not. */
    @Nullable
    Throwable failureOfClaim() {
        return claim == null ? null : Futures.failureOf(claim);
    }

    /**
     * Ends the wait for a safe point, and commits the flight recorder's event with the outcome; only the first time.
     */
    void ended(String how) {
        safePoint.end();
        if (event != null) {
            event.end(how);
            event = null;
        }
    }
}
