package dev.resiliency.inprocess.internal.protocol;

import static dev.resiliency.inprocess.internal.protocol.JobKeys.BEFORE_FIRST;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Batch.Results;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A member's side of the protocol, by which a rank takes part in the iterations of its job. */
public final class Member {
    /** The limit of a wait whose only purpose is to name the missing ranks. */
    private static final Duration A_MOMENT = Duration.ofMillis(1);

    private final JobSession session;
    private final Terminations terminations;
    private final FaultRecords records;
    private final List<String> groupKeys;
    /** The store of the current iteration. Confined to the thread that calls {@link #enterUserStore}. */
    private @Nullable IterationStore userStore;

    Member(JobSession session, Terminations terminations, FaultRecords records, List<String> groupKeys) {
        this.session = session;
        this.terminations = terminations;
        this.records = records;
        this.groupKeys = groupKeys;
    }

    /**
     * The answer when iteration {@code k} is decided: the rank's part in it, and what interrupted {@code k - 1}, or who left
     * before the first.
     */
    public record Regrouped(Decision decision, List<Interruption> interruptions) {}

    /** Gives this rank's session a lease: see {@link Operation.Lease}. */
    public void lease(Duration lease) {
        session.send(new Operation.Lease(lease));
    }

    /** Notifies the listener of all ranks that die or leave, including those already gone, until the session ends. */
    public void watchTerminated(Consumer<? super Change> listener) {
        session.send(new Operation.Watch(JobKeys.TERMINATED, listener));
    }

    /**
     * Notifies the listener why rank 0 has died or left, once it has. Does nothing unless rank 0 may host the store: that
     * is where it would do so, at this address.
     */
    public void watchHost(String address, int port, Consumer<? super Interruption> listener) {
        if (session.mayBeHostedAt(address, port)) {
            session.send(new Operation.Watch(JobKeys.HOST, change -> {
                if (change instanceof Change.Written written) {
                    records.read(written.value()).forEach(listener);
                }
            }));
        }
    }

    /**
     * Returns whether a rank should {@linkplain #awaitDecision wait} for the next decision while the training runs. A
     * store without watches would be polled for it all the time.
     */
    public boolean answersLate() {
        return session.store().keepsSessions();
    }

    /**
     * Rule 6: waits until the leader has decided for this rank in iteration {@code k}, however long that takes. In the same
     * step this rank's last will is replaced: its death now interrupts iteration {@code k} (rule 2).
     *
     * <p>May be called long before this rank {@linkplain #arrive arrives}: then the store need not read, look up and
     * keep thousands of requests while they all wait for the last rank. Nothing is decided for a rank that has not
     * arrived, since the leader waits for it or counts it as lost.
     *
     * @param ended the listener of iteration {@code k - 2}, which is no longer notified; null if there was none
     * @param outcome notified of the outcome of iteration {@code k}
     */
    public CompletableFuture<Regrouped> awaitDecision(
            int k, @Nullable Consumer<? super Change> ended, Consumer<? super Change> outcome) {
        Batch batch = session.batch();
        if (ended != null) {
            batch.add(new Operation.Unwatch(JobKeys.outcome(k - 2), ended));
        }
        batch.add(new Operation.Watch(JobKeys.outcome(k), outcome)); // absent until iteration k is decided
        Handle<Value> part = batch.add(new Operation.GetPart(JobKeys.state(k), session.rank()));
        batch.add(terminations.lastWill(k));
        Handle<Value> written = batch.add(new Operation.Get(JobKeys.records(k - 1)));
        return batch.submit(Store.FOREVER)
                .thenApply(results -> new Regrouped(
                        DecisionCodec.read(results.get(part), session.rank(), session.worldSize(), k),
                        records.read(results.get(written))));
    }

    /**
     * Rule 5: reports that this rank has stopped in iteration {@code k - 1}. In a restart that needs no answer: a rank
     * that has to wait for long repeats it with {@link #awaitDecisionWithin}. A rank that joins the job gets an answer.
     *
     * <p>Only the leader waits at the barrier itself: thousands of others that passed it would only have to wait again.
     *
     * @return fails if this rank may not arrive; already complete if no answer was requested
     */
    public CompletableFuture<?> arrive(int k) {
        if (k - 1 != BEFORE_FIRST) {
            session.send(session.arrival(k, false));
            return CompletableFuture.completedFuture(null);
        }
        Batch batch = session.batch();
        if (!groupKeys.isEmpty()) {
            batch.add(new Operation.Set(JobKeys.groupKeys(session.rank()), Value.of(WorldCodec.writeAll(groupKeys))));
        }
        batch.add(session.arrival(k, false));
        return batch.submit(session.limit());
    }

    /**
     * Waits as {@link #awaitDecision} does, but within a limit: an answer is due within it, which reveals a store that
     * is silent or has rejected this rank's arrival. On timeout it fails naming the ranks that have not stopped, if
     * any.
     *
     * @param waited the total wait of this rank, for the error message
     * @return fails with {@link BarrierTimeoutException} or {@link StoreTimeoutException}, or with the store's
     *     rejection
     */
    public CompletableFuture<?> awaitDecisionWithin(int k, Duration limit, Duration waited) {
        Batch batch = session.batch();
        batch.add(session.arrival(k, false));
        batch.add(new Operation.GetPart(JobKeys.state(k), session.rank()));
        return batch.submit(limit)
                .exceptionallyCompose(failure -> failure instanceof StoreTimeoutException
                        ? missingAtBarrier(k, waited)
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<Results> missingAtBarrier(int k, Duration waited) {
        Batch batch = session.batch();
        batch.add(session.arrival(k, true));
        return batch.submit(A_MOMENT).handle((passed, failure) -> {
            if (failure instanceof BarrierTimeoutException missing) {
                throw new BarrierTimeoutException(missing.barrier(), missing.arrived(), missing.expected(), waited);
            }
            throw failure != null
                    ? new CompletionException(failure)
                    : new StoreTimeoutException(
                            "all have stopped, but no leader has decided iteration %d within %s s"
                                    .formatted(k, waited.toMillis() / 1000.0),
                            waited);
        });
    }

    /** Returns the ranks that have not arrived at the barrier before iteration {@code k}, nor died or left. For logs. */
    public CompletableFuture<IndexSet> missing(int k) {
        return missingAt(JobKeys.stopped(k - 1));
    }

    private CompletableFuture<IndexSet> missingAt(String barrier) {
        Batch batch = session.batch();
        Handle<IndexSet> arrived = batch.add(new Operation.Members(barrier));
        Handle<IndexSet> terminated = batch.add(new Operation.Members(JobKeys.TERMINATED));
        return batch.submit(session.limit())
                .thenApply(results ->
                        session.everybody().minus(results.get(arrived)).minus(results.get(terminated)));
    }

    /** Returns the active ranks whose function has not returned in iteration {@code k}. For logs. */
    public CompletableFuture<IndexSet> missingAtCompletion(int k) {
        Batch batch = session.batch();
        Handle<IndexSet> active = batch.add(new Operation.Members(JobKeys.active(k)));
        Handle<IndexSet> completed = batch.add(new Operation.Members(JobKeys.completed(k)));
        return batch.submit(session.limit())
                .thenApply(results -> results.get(active).minus(results.get(completed)));
    }

    /**
     * Rules 1 and 3: records a fault in iteration {@code k} and interrupts it. The result is the outcome that stands.
     */
    public CompletableFuture<Outcome> interrupt(int k, List<Interruption> interruptions) {
        Batch batch = session.batch();
        for (Interruption interruption : interruptions) {
            batch.add(records.fault(k, interruption));
        }
        Handle<Value> outcome = batch.add(Terminations.claimInterrupted(k));
        return batch.submit(session.limit()).thenApply(results -> Outcome.of(results.get(outcome)));
    }

    /**
     * Rule 4: reports that this active rank's function has returned. The last one to do so completes the iteration, in
     * the same step. Await the outcome instead of this future, which fails if others do not complete in time and names
     * them.
     */
    public CompletableFuture<?> complete(int k, Duration limit) {
        Barrier barrier = Barrier.ofMembers(JobKeys.completed(k), JobKeys.active(k))
                .whenComplete(new Operation.Claim(JobKeys.outcome(k), Value.of(Outcome.COMPLETED.name())));
        return arriveAndWait(barrier, limit);
    }

    /** Waits until every living rank is ready to disconnect. */
    public CompletableFuture<?> part(Duration limit) {
        return arriveAndWait(
                Barrier.of(JobKeys.TERMINATION, session.everybody()).excusing(JobKeys.TERMINATED), limit);
    }

    /** Returns the ranks that live and are not ready to part. For logs. */
    public CompletableFuture<IndexSet> missingAtParting() {
        return missingAt(JobKeys.TERMINATION);
    }

    private CompletableFuture<?> arriveAndWait(Barrier barrier, Duration limit) {
        Batch batch = session.batch();
        batch.add(new Operation.Arrive(barrier, session.self(), true));
        return batch.submit(limit);
    }

    /** Ends the watches of the function's store of the previous iteration; returns its store in iteration {@code k}. */
    public SessionStore enterUserStore(int k) {
        if (userStore != null) {
            userStore.endWatches();
        }
        userStore = new IterationStore(new PrefixStore(JobKeys.user(k), session.store()));
        return userStore;
    }
}
