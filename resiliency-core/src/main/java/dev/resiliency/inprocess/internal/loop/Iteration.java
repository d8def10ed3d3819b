package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.jfr.IterationEvent;
import dev.resiliency.inprocess.internal.protocol.Decision;
import dev.resiliency.inprocess.internal.protocol.Outcome;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import dev.resiliency.inprocess.internal.worker.Worker;
import dev.resiliency.store.IndexSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One iteration on this rank: who the rank is in it, its worker, its outcome, its faults. Confined to the monitor thread. */
final class Iteration<R> {
    private final LoopContext<R> context;
    private final State state;
    private final int terminatedAtDecision;
    private final OutcomeRegister outcome;
    private final NextIteration next;
    private final IterationCall call;
    private final Worker<R> worker;
    /** Null once it has ended, or if it is not to be recorded. */
    private @Nullable IterationEvent event;
    /** Null until this rank records a fault. */
    private @Nullable CompletableFuture<?> claim;

    private boolean hasOwnFault;
    private final Stopwatch since;

    /**
     * Starts the worker.
     *
     * @param before the iteration before; null if this is the first
     * @param lastFault why that was interrupted; empty if this is the first
     */
    Iteration(
            LoopContext<R> context,
            Decision.Placed placed,
            OutcomeRegister outcome,
            @Nullable Iteration<R> before,
            String lastFault) {
        this.context = context;
        this.state =
                placed.state().withFaults(before == null ? 0 : before.faults()).withLastFault(lastFault);
        this.terminatedAtDecision = placed.terminated();
        this.outcome = outcome;
        this.next = new NextIteration(
                context.member(), context.waker(), state.iteration() + 1, before == null ? null : before.outcome);
        context.onIteration().accept(state.iteration());
        this.call = new IterationCall(state, context.member().enterUserStore(state.iteration()), context.waker());
        this.worker =
                context.userCode().startIteration(call, context.announcements().entryOf(state));
        this.event = context.announcements().eventOf(state);
        this.since = context.startStopwatch();
    }

    /** Measures the time since the start. */
    Stopwatch since() {
        return since;
    }

    State state() {
        return state;
    }

    /** Returns who this rank is, after the faults that it has had in this iteration. */
    State stateAfterwards() {
        return state.withFaults(faults());
    }

    int number() {
        return state.iteration();
    }

    /** The iteration after this one. */
    NextIteration next() {
        return next;
    }

    /** Null while the iteration is open. */
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

    /** Whether this rank itself has failed in it. */
    boolean hasFailed() {
        return hasOwnFault;
    }

    /** Counts the faults of this rank itself, in all iterations. */
    private int faults() {
        return state.faults() + (hasOwnFault ? 1 : 0);
    }

    /** Interrupts this iteration because of a fault of this rank. */
    void interrupt(Interruption.Kind kind, String message) {
        if (claim == null) {
            // That others do not complete is no fault of this rank.
            hasOwnFault = kind != Interruption.Kind.COMPLETION_TIMEOUT;
            claim(List.of(interruption(context.environment().rank(), kind, message)));
        }
    }

    /** Rule 3 of the protocol: the death of a member interrupts the iteration, whoever notices it. */
    void interruptIfRankLost() {
        IndexSet lost = context.terminated().beyond(terminatedAtDecision);
        if (!lost.isEmpty() && outcome() == null && claim == null) {
            claim(lost.stream()
                    .mapToObj(rank -> interruption(rank, Interruption.Kind.TERMINATED, "it died or left the job"))
                    .toList());
        }
    }

    private Interruption interruption(int rank, Interruption.Kind kind, String message) {
        return new Interruption(rank, kind, context.clock().now(), message);
    }

    /**
     * Records faults and claims the outcome. What was settled first stands; the records are kept all the same, for those
     * that happen at once.
     */
    private void claim(List<Interruption> faults) {
        context.announcements().recorded(state, faults);
        claim = context.waker()
                .wakeWhenDone(context.member().interrupt(number(), faults).thenAccept(outcome::settle));
    }

    /** Returns what made the store refuse the faults that this rank recorded; null if it has not. */
    @Nullable
    Throwable failureOfClaim() {
        return claim == null ? null : Futures.failureOf(claim);
    }

    /** Notes for the flight recorder how the iteration has ended; only the first time. */
    void ended(String how) {
        if (event != null) {
            event.end(how);
            event = null;
        }
    }
}
