package dev.resiliency.inprocess.internal.protocol;

import static dev.resiliency.inprocess.internal.protocol.JobKeys.BEFORE_FIRST;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
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
    /** What is in the set that says that the job is complete. */
    static final IndexSet FINISHED = IndexSet.of(0);

    /** The limit of a wait whose only purpose is to name the missing ranks. */
    private static final Duration A_MOMENT = Duration.ofMillis(1);

    private final JobSession session;
    private final Terminations terminations;
    private final FaultRecords records;
    private final List<String> groupKeys;
    private final JobKeys keys;
    /** The store of the current iteration. Confined to the thread that calls {@link #enterUserStore}. */
    private @Nullable IterationStore userStore;

    Member(JobSession session, Terminations terminations, FaultRecords records, List<String> groupKeys) {
        this.session = session;
        this.terminations = terminations;
        this.records = records;
        this.groupKeys = groupKeys;
        this.keys = session.keys();
    }

    /**
     * The answer when iteration {@code k} is decided.
     *
     * @param decision the rank's part in it
     * @param members its members, for a joiner, which does not know those of the iteration before; otherwise empty
     * @param interruptions what interrupted the iteration before, or who left before the first
     * @param successors those that host the store next, in their order
     */
    public record Regrouped(
            Decision decision, IndexSet members, List<Interruption> interruptions, List<StoreSeat> successors) {}

    /** Gives this rank's session a lease: see {@link Operation.Lease}. */
    public void lease(Duration lease) {
        session.send(new Operation.Lease(lease));
    }

    /** Notifies the listener of all ranks that die or leave, including those already gone, until the session ends. */
    public void watchTerminated(Consumer<? super Change> listener) {
        session.send(new Operation.Watch(keys.terminated(), listener));
    }

    /** Notifies the listener why the rank that hosts the store has died, is being ended, or has left, once that is so. */
    public void watchHost(Consumer<? super Interruption> listener) {
        session.send(new Operation.Watch(keys.host(), change -> {
            if (change instanceof Change.Written written) {
                records.read(written.value()).forEach(listener);
            }
        }));
    }

    /** Returns whether a rank of this job may host the store: one founded anew, or that of rank 0, at this address. */
    public boolean isHostedByRank(String address, int port) {
        return session.host() != null || JobSession.mayBeHostedAt(session.store(), address, port);
    }

    /** Returns the rank that hosts the store, if any rank does. */
    public int hostRank() {
        return session.hostRank();
    }

    /** Returns the address of the store, for messages. */
    public String storeAddress() {
        return String.valueOf(session.store().address());
    }

    /**
     * Rule 6: waits until the leader has decided for this rank in iteration {@code k}, however long that takes. In the same
     * step this rank's last will is replaced: its death now interrupts iteration {@code k} (rule 2).
     *
     * <p>May be called long before this rank {@linkplain #arrive arrives}: then the store need not read, look up and
     * keep thousands of requests while they all wait for the last rank. Nothing is decided for a rank that has not
     * arrived, since the leader waits for it or counts it as lost.
     *
     * @param entry how this rank enters the iteration
     * @param position the position of this rank in the world before
     * @param ended the listener of iteration {@code k - 2}, which is no longer notified; null if there was none
     * @param outcome notified of the outcome of iteration {@code k}
     */
    public CompletableFuture<Regrouped> awaitDecision(
            int k,
            State.Entry entry,
            int position,
            @Nullable Consumer<? super Change> ended,
            Consumer<? super Change> outcome) {
        Batch batch = session.batch();
        if (ended != null) {
            batch.add(new Operation.Unwatch(keys.outcome(k - 2), ended));
        }
        batch.add(new Operation.Watch(keys.outcome(k), outcome)); // absent until iteration k is decided
        Handle<Value> part = batch.add(new Operation.GetPart(keys.state(k), position));
        batch.add(terminations.lastWill(k));
        Handle<Value> written = batch.add(new Operation.Get(keys.records(session.before(k))));
        Handle<IndexSet> members =
                entry == State.Entry.JOINED ? batch.add(new Operation.Members(keys.members(k))) : null;
        Handle<Value> successors = session.host() == null ? null : batch.add(JobSession.peek(keys.successors(k)));
        return batch.submit(Store.FOREVER)
                .thenApply(results -> new Regrouped(
                        DecisionCodec.read(results.get(part), session.identity(), entry, k),
                        members == null ? IndexSet.empty() : results.get(members),
                        records.read(results.get(written)),
                        successors == null
                                ? List.of()
                                : StoreSeat.readAll(results.get(successors).text())));
    }

    /** Returns who hosts the store that survivors found anew when it is lost; null if they do not. */
    public @Nullable StoreSeat host() {
        return session.host();
    }

    /** Notifies the listener, while this process waits to join, of those that host the store next. */
    public void watchSuccessors(Consumer<? super List<StoreSeat>> listener) {
        session.send(new Operation.Watch(keys.latestSuccessors(), change -> {
            if (change instanceof Change.Written written) {
                listener.accept(StoreSeat.readAll(written.value().text()));
            }
        }));
    }

    /** Publishes where this rank would host the store; needs no answer. */
    public void takeSeat(StoreSeat seat) {
        session.send(new Operation.Set(keys.seat(session.rank()), Value.of(seat.write())));
    }

    /** Returns the decision about the world of iteration {@code k}, for a successor; empty if it is not known. */
    public CompletableFuture<String> world(int k) {
        return textOf(keys.world(k));
    }

    /** Returns what is recorded of the faults of iteration {@code k} by now, for another store; empty if nothing is. */
    public CompletableFuture<String> records(int k) {
        return textOf(keys.records(k));
    }

    private CompletableFuture<String> textOf(String key) {
        Batch batch = session.batch();
        Handle<Value> written = batch.add(JobSession.peek(key));
        return batch.submit(session.limit())
                .thenApply(results -> results.get(written).text());
    }

    /**
     * Rule 19: accepts the world of iteration {@code k}, and waits until at least half of the members of the one before
     * have.
     *
     * @param isVoter whether this rank is one of them; a joiner only waits
     */
    public CompletableFuture<?> agree(int k, boolean isVoter, Duration limit) {
        return accept(Barrier.ofMembers(keys.entered(k), keys.members(session.before(k))), isVoter, limit);
    }

    /** Rule 20: accepts that iteration {@code k} is complete, and waits until at least half of its members have. */
    public CompletableFuture<?> acknowledge(int k, Duration limit) {
        return accept(Barrier.ofMembers(keys.acknowledged(k), keys.members(k)), true, limit);
    }

    private CompletableFuture<?> accept(Barrier barrier, boolean isVoter, Duration limit) {
        Batch batch = session.batch();
        batch.add(new Operation.Arrive(
                barrier.excusing(keys.ceded()).ofHalf(), isVoter ? session.self() : IndexSet.empty(), true));
        return batch.submit(limit);
    }

    /** Accepts whatever the store decides next, as this rank leaves or has died; needs no answer. */
    public void cede() {
        session.send(new Operation.AddToSet(keys.ceded(), session.self()));
    }

    /** Notifies the listener if the job lives on another store, with its host. */
    public void watchMove(Consumer<? super StoreSeat> listener) {
        session.send(new Operation.Watch(JobKeys.MOVED, change -> {
            if (change instanceof Change.Written written) {
                StoreSeat.readAll(written.value().text()).forEach(listener);
            }
        }));
    }

    /**
     * Returns whether this rank still belongs to the job: rule 7 in the other direction. Fails if its session has ended, or the
     * store does not answer.
     */
    public CompletableFuture<Boolean> isMember() {
        Batch batch = session.batch();
        Handle<IndexSet> terminated = batch.add(new Operation.Members(keys.terminated()));
        return batch.submit(session.limit())
                .thenApply(results -> !results.get(terminated).contains(session.rank()));
    }

    /** Returns the founders, whom the barrier before the first iteration awaits. */
    public IndexSet founders() {
        return session.founders();
    }

    /**
     * Rule 5: reports that this rank has stopped in iteration {@code k - 1}. In a restart that needs no answer: a rank
     * that has to wait for long repeats it with {@link #awaitDecisionWithin}. A rank that joins the job gets an answer.
     *
     * <p>Only the leader waits at the barrier itself: thousands of others that passed it would only have to wait again.
     *
     * <p>A founder may be so late that the others have begun, and even completed, without it. So its arrival is a batch
     * that ends before it writes anything if the job is complete, or has moved on to another generation (rule 8).
     *
     * @return whether this rank has arrived, already complete if no answer was requested; fails if it may not arrive
     */
    public CompletableFuture<Boolean> arrive(int k) {
        if (session.before(k) != BEFORE_FIRST) {
            session.send(session.arrival(k, false));
            return CompletableFuture.completedFuture(true);
        }
        Batch batch = session.batch();
        batch.add(new Operation.Confirm(JobKeys.FINISHED, IndexSet.empty()));
        batch.add(new Operation.Claim(
                JobKeys.GENERATION, Value.of(session.identity().generation().text())));
        session.addGroupKeys(batch, groupKeys);
        batch.add(session.arrival(k, false));
        return batch.submit(session.limit()).thenApply(Results::allRan);
    }

    /**
     * Waits as {@link #awaitDecision} does, but within a limit: an answer is due within it, which reveals a store that
     * is silent or has rejected this rank's arrival. On timeout it fails naming the ranks that have not stopped, if
     * any.
     *
     * <p>If the leader has announced that it waits for joiners, the limit is longer by that wait.
     *
     * @param position the position of this rank in the world before
     * @param waited the total wait of this rank, for the error message
     * @return fails with {@link BarrierTimeoutException} or {@link StoreTimeoutException}, or with the store's
     *     rejection
     */
    public CompletableFuture<Results> awaitDecisionWithin(int k, int position, Duration limit, Duration waited) {
        return awaitDecisionWithin(k, position, limit, waited, Duration.ZERO);
    }

    private CompletableFuture<Results> awaitDecisionWithin(
            int k, int position, Duration limit, Duration waited, Duration granted) {
        Batch batch = session.batch();
        batch.add(session.arrival(k, false));
        batch.add(new Operation.GetPart(keys.state(k), position));
        return batch.submit(limit)
                .exceptionallyCompose(failure -> failure instanceof StoreTimeoutException
                        ? leaderWait(k).thenCompose(wait -> {
                            Duration more = wait.atMost().minus(granted);
                            return more.isNegative() || more.isZero()
                                    ? missingAtBarrier(k, waited)
                                    : awaitDecisionWithin(k, position, more, waited.plus(more), wait.atMost());
                        })
                        : CompletableFuture.failedFuture(failure));
    }

    /** Returns for what the leader waits before it decides iteration {@code k}. */
    public CompletableFuture<LeaderWait> leaderWait(int k) {
        Batch batch = session.batch();
        Handle<Value> written = batch.add(JobSession.peek(keys.waiting(k)));
        return batch.submit(session.limit()).thenApply(results -> LeaderWait.read(results.get(written)));
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

    /**
     * Returns the ranks that have not arrived at the barrier before iteration {@code k}, nor died or left. For logs.
     *
     * @param expected the members of the iteration before
     */
    public CompletableFuture<IndexSet> missing(int k, IndexSet expected) {
        return missingAt(keys.stopped(session.before(k)), expected);
    }

    private CompletableFuture<IndexSet> missingAt(String barrier, IndexSet expected) {
        Batch batch = session.batch();
        Handle<IndexSet> arrived = batch.add(new Operation.Members(barrier));
        Handle<IndexSet> terminated = batch.add(new Operation.Members(keys.terminated()));
        return batch.submit(session.limit())
                .thenApply(results -> expected.minus(results.get(arrived)).minus(results.get(terminated)));
    }

    /**
     * Goes on without the founders that have not come (rule 11): if this rank is the lowest that has come, and they are
     * enough, it declares the missing dead. One that arrives at this moment is either counted in or learns that it is
     * dead, and then joins.
     *
     * @param atLeast how many must have come
     * @param waited for the reason that is recorded
     * @return who has come and who is missing
     */
    public CompletableFuture<Rendezvous> goOnWithout(int atLeast, Duration waited) {
        String initial = keys.stopped(BEFORE_FIRST);
        Batch reading = session.batch();
        Handle<IndexSet> arrived = reading.add(new Operation.Members(initial));
        Handle<IndexSet> terminated = reading.add(new Operation.Members(keys.terminated()));
        return reading.submit(session.limit()).thenCompose(results -> {
            IndexSet came = results.get(arrived).minus(results.get(terminated));
            IndexSet missing = session.founders().minus(results.get(arrived)).minus(results.get(terminated));
            Rendezvous rendezvous = new Rendezvous(came, missing);
            if (missing.isEmpty() || came.size() < atLeast || came.lowest() != session.rank()) {
                return CompletableFuture.completedFuture(rendezvous);
            }
            Batch batch = session.batch();
            batch.add(new Operation.Confirm(initial, results.get(arrived)));
            missing.forEach(rank -> batch.add(records.death(
                    BEFORE_FIRST,
                    new Interruption(
                            rank,
                            Interruption.Kind.TERMINATED,
                            null,
                            "it has not come within %.0f s".formatted(waited.toMillis() / 1e3)))));
            batch.add(new Operation.AddToSet(keys.terminated(), missing));
            return batch.submit(session.limit()).thenApply(done -> rendezvous);
        });
    }

    /** The founders that have come to the initial barrier, and those that have neither come nor left. */
    public record Rendezvous(IndexSet came, IndexSet missing) {}

    /** Returns the active ranks whose function has not returned in iteration {@code k}. For logs. */
    public CompletableFuture<IndexSet> missingAtCompletion(int k) {
        return session.missingActive(k, keys.completed(k));
    }

    /**
     * Rules 1 and 3: records a fault in iteration {@code k} and interrupts it. The result is the outcome that stands.
     */
    public CompletableFuture<Outcome> interrupt(int k, List<Interruption> interruptions) {
        Batch batch = session.batch();
        for (Interruption interruption : interruptions) {
            batch.add(records.fault(k, interruption));
        }
        Handle<Value> outcome = batch.add(terminations.claimInterrupted(k, interruptions));
        return batch.submit(session.limit()).thenApply(results -> Outcome.of(results.get(outcome)));
    }

    /** Records what the function of this rank threw as it was stopped, in iteration {@code k}, before this rank arrives. */
    public CompletableFuture<?> threwAtStop(int k, Interruption interruption) {
        Batch batch = session.batch();
        batch.add(records.thrownAtStop(k, interruption));
        return batch.submit(session.limit());
    }

    /**
     * Rule 4: reports that this active rank's function has returned. The last one to do so completes the iteration and
     * the job, in the same step. Await the outcome instead of this future, which fails if others do not complete in time and names
     * them.
     */
    public CompletableFuture<?> complete(int k, Duration limit) {
        Barrier barrier = Barrier.ofMembers(keys.completed(k), keys.active(k))
                .whenComplete(
                        new Operation.Claim(keys.outcome(k), Value.of(Outcome.COMPLETED.name())), // else it ends here
                        new Operation.AddToSet(JobKeys.FINISHED, FINISHED));
        return arriveAndWait(barrier, limit);
    }

    /** Waits until every living member of the last iteration is ready to disconnect. */
    public CompletableFuture<?> part(IndexSet members, Duration limit) {
        return arriveAndWait(Barrier.of(keys.termination(), members).excusing(keys.terminated()), limit);
    }

    /** Deletes all keys of the generation, which no one needs after all have parted; needs no answer. */
    public void deleteGeneration() {
        session.send(new Operation.DeleteAll(
                JobKeys.prefixOf(session.identity().generation().number())));
    }

    /** Returns the members that live and are not ready to part. For logs. */
    public CompletableFuture<IndexSet> missingAtParting(IndexSet members) {
        return missingAt(keys.termination(), members);
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
        userStore = new IterationStore(new PrefixStore(keys.user(k), session.store()));
        return userStore;
    }
}
