package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.jfr.IterationEvent;
import dev.resiliency.inprocess.internal.protocol.Outcome;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import dev.resiliency.inprocess.internal.worker.Worker;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** One iteration on this rank. Confined to the monitor thread, but for what is said otherwise. */
final class Iteration<R> {
    private final State state;
    private final int terminatedAtDecision;
    private final OutcomeRegister outcome;
    private final IterationCall call;
    private final Worker<R> worker;
    private @Nullable IterationEvent event;
    private @Nullable CompletableFuture<?> completion;
    private @Nullable CompletableFuture<?> claim;

    Iteration(
            State state,
            int terminatedAtDecision,
            OutcomeRegister outcome,
            IterationCall call,
            Worker<R> worker,
            @Nullable IterationEvent event) {
        this.state = state;
        this.terminatedAtDecision = terminatedAtDecision;
        this.outcome = outcome;
        this.call = call;
        this.worker = worker;
        this.event = event;
    }

    State state() {
        return state;
    }

    int number() {
        return state.iteration();
    }

    /** How many ranks had died or left when this iteration was decided: the death of any other interrupts it. */
    int terminatedAtDecision() {
        return terminatedAtDecision;
    }

    OutcomeRegister outcomeRegister() {
        return outcome;
    }

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

    /** Whether this rank has recorded faults in it. */
    boolean hasInterrupted() {
        return claim != null;
    }

    /**
     * Records faults and claims the outcome. What was settled first stands; the records are kept all the same, for those
     * that happen at once. To be called once.
     */
    void interrupt(RestartStore store, List<Interruption> faults, Waker waker) {
        claim = waker.wakeWhenDone(store.interrupt(number(), faults).thenAccept(outcome::settle));
    }

    /** Tells the flight recorder how it has ended; only the first time. */
    void ended(String how) {
        if (event != null) {
            event.end(how);
            event = null;
        }
    }

    /** Says that the function has returned. */
    void complete(CompletableFuture<?> arrival, Waker waker) {
        completion = waker.wakeWhenDone(arrival);
    }

    /** What the claim or the arrival failed with; null if neither has. */
    @Nullable
    Throwable failure() {
        Throwable failure = failureOf(claim);
        return failure == null ? failureOf(completion) : failure;
    }

    /** Withdraws what still waits for an outcome that is settled. */
    void withdraw() {
        if (completion != null) {
            completion.cancel(true);
        }
    }

    /** What the future failed with; null if it has not, or was cancelled. */
    static @Nullable Throwable failureOf(@Nullable CompletableFuture<?> future) {
        if (future == null || !future.isCompletedExceptionally() || future.isCancelled()) {
            return null;
        }
        return future.handle((result, error) ->
                        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error)
                .join();
    }
}
