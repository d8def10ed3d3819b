package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.PrefixStore;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.Parts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Every key that the ranks of a job share, and the rules of the restart protocol that concern them. Nothing here blocks.
 *
 * <p>Ranks are named by their initial rank. {@code k} is an iteration; the time before the first one is iteration -1,
 * and the initial barrier is its iteration barrier.
 *
 * <pre>
 * terminated            set      ranks that died or left, in all the job's life. Watched by all, always
 * keys/r                value    the keys of rank r, by which the rank assignment groups it
 * k/outcome             claim    how iteration k ends: the first writer decides for all, once. Watched by all in it
 * k/records             value    why: appended lines, before the claim that they explain; the first of very many
 * k/completed           barrier  active members whose function has returned; complete, it claims the outcome
 * k/stopped             barrier  ranks that have stopped and wait for the next iteration; the terminated are excused
 * k/decision            claim    the leader that decided who takes part in k
 * k/world               value    its decision, for the next leader
 * k/active              set      the active members of k
 * k/state               parts    its decision, with a part for each rank
 * k/user/…              any      what the wrapped function keeps
 * termination           barrier  lets the store's host outlive the others
 * heartbeats/r          counter  counted up by the monitor process of rank r, where the store keeps no sessions
 * </pre>
 */
public final class RestartStore {
    private static final String TERMINATED = "terminated";
    private static final Duration A_MOMENT = Duration.ofMillis(1);
    /** Bytes that the records of an iteration take at most. */
    private static final long MOST_RECORDS = 64 << 10;
    /** Bytes that are sent at most so that all ranks have read them. */
    private static final long MOST_RECORDS_READ = 128 << 20;
    /** The iteration before the first. */
    public static final int BEFORE_FIRST = -1;

    private final Store store;
    private final int rank;
    private final int worldSize;
    private final IndexSet self;
    private final IndexSet everybody;
    private final List<String> keys;
    /** Of the current iteration. Confined to the thread that asks for it. */
    private @Nullable IterationStore userStore;
    /** The last decision of this rank that stands. Written by the store's thread, read by the one that leads. */
    private volatile @Nullable Decided decided;

    /** The view that initial rank {@code rank} of {@code worldSize} has of the job in {@code store}. */
    public RestartStore(Store store, int rank, int worldSize) {
        this(store, rank, worldSize, List.of());
    }

    /**
     * The same, of a rank that takes part in the job.
     *
     * @param keys what the keys of the rank assignment are on this rank
     */
    public RestartStore(Store store, int rank, int worldSize, List<String> keys) {
        this.store = store;
        this.rank = rank;
        this.worldSize = worldSize;
        this.self = IndexSet.of(rank);
        this.everybody = IndexSet.range(0, worldSize);
        this.keys = keys;
    }

    /** What a rank learns when iteration {@code k} is decided. */
    public record Regrouped(Decision decision, List<Interruption> interruptions) {}

    /**
     * What the leader of an iteration decides from.
     *
     * @param world that of the iteration before, in which those that have died or left by now are marked as lost
     * @param terminated who has died or left by now
     */
    public record WorldBefore(World world, IndexSet terminated) {}

    private record Decided(int k, World world) {}

    /** Hears of the ranks that die or leave, those that already have included, until the session ends. */
    public void watchTerminated(Consumer<? super Change> listener) {
        store.send(List.of(new Operation.Watch(TERMINATED, listener)));
    }

    /** Gives this rank's session a lease: see {@link Operation.Lease}. */
    public void lease(Duration lease) {
        store.send(List.of(new Operation.Lease(lease)));
    }

    /**
     * Whether a rank does well to {@linkplain #awaitDecision wait} for the next decision while the training goes on. A
     * plain store would have to be looked at for it all the time.
     */
    public boolean answersLate() {
        return store.keepsSessions();
    }

    /**
     * Rule 6, for all: waits until the leader has decided for this rank in iteration {@code k}, however long that takes.
     * With that decision, and in the same step, this rank's last will becomes to interrupt iteration {@code k}. {@code
     * outcome} hears of its outcome.
     *
     * <p>It may be asked long before this rank {@linkplain #arrive arrives}: what thousands ask while the training goes on
     * need not be read, looked up and kept while they all wait for the last of them. Nothing is decided for a rank that
     * has not arrived, since the leader waits for it or takes it for lost.
     *
     * @param ended the listener of iteration {@code k - 2}, which hears no more; null if there was none
     */
    public CompletableFuture<Regrouped> awaitDecision(
            int k, @Nullable Consumer<? super Change> ended, Consumer<? super Change> outcome) {
        List<Operation<?>> operations = new ArrayList<>();
        if (ended != null) {
            operations.add(new Operation.Unwatch(key(k - 2, "outcome"), ended));
        }
        operations.add(new Operation.Watch(key(k, "outcome"), outcome)); // not told before iteration k is decided
        int decided = operations.size();
        operations.add(new Operation.GetPart(state(k), rank));
        operations.add(new Operation.LastWill(deathOf(
                rank,
                k,
                new Interruption(rank, Interruption.Kind.TERMINATED, null, "its session ended without a goodbye"))));
        boolean isFirst = k - 1 == BEFORE_FIRST;
        if (!isFirst) {
            operations.add(new Operation.Get(key(k - 1, "records")));
        }
        return store.submit(operations, Store.FOREVER)
                .thenApply(results -> new Regrouped(
                        Texts.decision((Value) result(results, decided), rank, worldSize, k),
                        isFirst ? List.of() : Texts.interruptions((Value) result(results, operations.size() - 1))));
    }

    /**
     * Rule 5: says that this rank has stopped in iteration {@code k - 1}. In a restart it needs no answer: {@link
     * #awaitDecisionWithin} says it again, to whoever has to wait for long. Whether a rank may join the job is told at once.
     *
     * <p>Only the leader waits at the barrier itself: thousands who passed it would only have to wait again.
     *
     * @return fails if this rank may not arrive; complete if no answer was asked for
     */
    public CompletableFuture<?> arrive(int k) {
        Operation<?> arrival = arrival(k, false);
        if (k - 1 != BEFORE_FIRST) {
            store.send(List.of(arrival));
            return CompletableFuture.completedFuture(null);
        }
        List<Operation<?>> operations = new ArrayList<>();
        operations.add(new Operation.LastWill(List.of(new Operation.AddToSet(TERMINATED, self))));
        if (!keys.isEmpty()) {
            operations.add(new Operation.Set(keysOf(rank), Value.of(WorldText.writeAll(keys))));
        }
        operations.add(arrival);
        return store.submit(operations, store.timeout());
    }

    /**
     * Waits as {@link #awaitDecision} does, but within a limit: then an answer is due, so a store that is silent, or has
     * refused this rank's arrival, is found out. Who waits in vain is told who has not stopped, if anybody.
     *
     * @param waited how long this rank will have waited in all, for the error
     * @return fails with {@link BarrierTimeoutException} or {@link StoreTimeoutException}, or with what the store refuses
     */
    public CompletableFuture<?> awaitDecisionWithin(int k, Duration limit, Duration waited) {
        return store.submit(List.of(arrival(k, false), new Operation.GetPart(state(k), rank)), limit)
                .exceptionallyCompose(failure -> failure instanceof StoreTimeoutException
                        ? missingAtBarrier(k, waited)
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<List<@Nullable Object>> missingAtBarrier(int k, Duration waited) {
        return store.submit(List.of(arrival(k, true)), A_MOMENT).handle((passed, failure) -> {
            if (failure instanceof BarrierTimeoutException missing) {
                throw new BarrierTimeoutException(missing.barrier(), missing.arrived(), missing.expected(), waited);
            }
            throw failure != null
                    ? new CompletionException(failure)
                    : new StoreTimeoutException(
                            "all have stopped, and nobody has decided iteration %d within %s s"
                                    .formatted(k, waited.toMillis() / 1000.0),
                            waited);
        });
    }

    /** The outcome that a change told to the listener of {@link #awaitDecision} stands for; null if it stands for none. */
    public static @Nullable Outcome outcomeOf(Change change) {
        return change instanceof Change.Written written
                ? Outcome.valueOf(written.value().text())
                : null;
    }

    /** Rules 1 and 3: records a fault in iteration {@code k} and interrupts it. Results in the outcome that stands. */
    public CompletableFuture<Outcome> interrupt(int k, List<Interruption> interruptions) {
        List<Operation<?>> operations = new ArrayList<>();
        for (Interruption interruption : interruptions) {
            // Half of the room is for deaths, which may come later: of those that are gone nobody else tells.
            operations.add(record(k, interruption, mostRecords() / 2));
        }
        operations.add(claimInterrupted(k));
        return store.submit(operations, store.timeout())
                .thenApply(results -> Outcome.valueOf(((Value) result(results, results.size() - 1)).text()));
    }

    /**
     * Rule 4: says that this active rank's function has returned. The last one to do so completes the iteration, in the
     * same step. Who waits for the outcome must not wait for this: it fails if others do not complete in time, and then
     * names them.
     */
    public CompletableFuture<?> complete(int k, Duration timeout) {
        Barrier barrier = Barrier.ofMembers(key(k, "completed"), key(k, "active"))
                .whenComplete(new Operation.Claim(key(k, "outcome"), Value.of(Outcome.COMPLETED.name())));
        return store.submit(List.of(new Operation.Arrive(barrier, self, true)), timeout);
    }

    /**
     * Rule 6, first half: waits until all have stopped in iteration {@code k - 1}, and reads the world of that iteration,
     * unless this rank itself has decided it.
     */
    public CompletableFuture<WorldBefore> worldBefore(int k, Duration timeout) {
        Decided own = decided;
        World known = own != null && own.k() == k - 1 ? own.world() : null;
        List<Operation<?>> operations = new ArrayList<>();
        operations.add(arrival(k, true));
        operations.add(new Operation.Members(TERMINATED));
        boolean isFirst = k - 1 == BEFORE_FIRST;
        if (!isFirst && known == null) {
            operations.add(new Operation.Get(key(k - 1, "world")));
        }
        return store.submit(operations, timeout).thenCompose(results -> {
            IndexSet lost = (IndexSet) result(results, 1);
            CompletableFuture<World> world = isFirst
                    ? initialWorld(lost, timeout)
                    : CompletableFuture.completedFuture(
                            known != null ? known : WorldText.read(((Value) result(results, 2)).text()));
            return world.thenApply(before -> new WorldBefore(before.lose(lost), lost));
        });
    }

    /** Everybody with their keys, but for those that were lost before they arrived and may not have told theirs. */
    private CompletableFuture<World> initialWorld(IndexSet lost, Duration timeout) {
        if (keys.isEmpty()) {
            return CompletableFuture.completedFuture(World.initial(worldSize));
        }
        int[] arrived = everybody.minus(lost).stream().toArray();
        List<String> names =
                IntStream.of(arrived).mapToObj(RestartStore::keysOf).toList();
        return store.submit(List.of(new Operation.MultiGet(names)), timeout).thenApply(results -> {
            List<?> values = (List<?>) result(results, 0);
            List<List<String>> keysByRank = new ArrayList<>(Collections.nCopies(worldSize, List.of()));
            for (int i = 0; i < arrived.length; i++) {
                keysByRank.set(arrived[i], WorldText.readAll(((Value) values.get(i)).text()));
            }
            return World.initial(keysByRank);
        });
    }

    /**
     * Rule 6, second half: publishes who takes part in iteration {@code k}, unless another leader was first, and
     * removes what is left of iteration {@code k - 2}, which nobody is in any more.
     *
     * <p>It publishes nothing if a rank has died or left since the world before was read: that rank would be a member of
     * an iteration whose only news it is that this rank is gone, and whose end would cost all others a restart. A store
     * without atomic batches can let such a decision pass; then rule 3 makes up for it.
     *
     * @param before what {@link #worldBefore} gave
     * @param next what the rank assignment made of it
     * @return whether iteration {@code k} is decided; if not, the world before is to be read again
     */
    public CompletableFuture<Boolean> decide(int k, WorldBefore before, World next) {
        List<Operation<?>> decision = List.of(
                new Operation.Confirm(TERMINATED, before.terminated()),
                new Operation.Claim(key(k, "decision"), Value.of(rank)),
                new Operation.AddToSet(key(k, "active"), next.activeMembers()),
                new Operation.MultiSet(Map.of(
                        key(k, "world"), Value.of(WorldText.write(next)),
                        state(k), Parts.of(Texts.decisions(before.world(), next, worldSize)))));
        IndexSet discarded = before.world().healthyMembers().minus(next.members());
        return store.submit(decision, store.timeout()).thenApply(results -> {
            if (results.size() == decision.size()) {
                decided = new Decided(k, next);
                store.send(afterDecision(k, discarded));
            }
            return results.size() > 1;
        });
    }

    /**
     * What comes behind a decision, in a request of its own: a discarded rank is to hear why before it finds itself among
     * the terminated, and those who wait for the decision would wait for the removal. A leader may die in between.
     */
    private static List<Operation<?>> afterDecision(int k, IndexSet discarded) {
        List<Operation<?>> operations = new ArrayList<>();
        if (!discarded.isEmpty()) {
            operations.add(new Operation.AddToSet(TERMINATED, discarded));
        }
        operations.add(new Operation.DeleteAll(key(k - 2, "")));
        operations.add(new Operation.DeleteAll(key(k - 3, "")));
        return operations;
    }

    /**
     * Rule 2: this rank leaves, or has died, in iteration {@code k}. Others may have gone on without it for long, and the
     * keys of that iteration are removed: then what was written with this, or by a last will, is removed as well. Or the
     * others may have gone on with it, since the next iteration was decided just before: then it is told there, where it
     * interrupts them.
     */
    public CompletableFuture<?> leave(int k, Interruption interruption) {
        List<Operation<?>> operations = new ArrayList<>();
        operations.add(new Operation.Check(List.of(key(k, "decision"))));
        operations.add(new Operation.Check(List.of(key(k + 1, "decision"))));
        operations.add(new Operation.Members(TERMINATED));
        operations.addAll(deathOf(rank, k, interruption));
        operations.add(new Operation.LastWill(List.of())); // nothing is left to be said
        return store.submit(operations, store.timeout()).thenAccept(results -> {
            boolean isNext = Boolean.TRUE.equals(result(results, 1));
            if (k != BEFORE_FIRST && Boolean.FALSE.equals(result(results, 0))) {
                store.send(List.of(new Operation.DeleteAll(key(k, ""))));
            } else if (isNext && !((IndexSet) result(results, 2)).contains(rank)) {
                store.send(deathOf(rank, k + 1, interruption));
            }
        });
    }

    /**
     * Counts up the heartbeat of this rank.
     *
     * @param sibling the rank whose heartbeat to look at
     */
    public CompletableFuture<Heartbeat> beat(int sibling) {
        return store.submit(
                        List.of(
                                new Operation.Add(heartbeats(rank), 1),
                                new Operation.Add(heartbeats(sibling), 0),
                                new Operation.Members(TERMINATED)),
                        store.timeout())
                .thenApply(results -> new Heartbeat(sibling, (Long) result(results, 1), (IndexSet) result(results, 2)));
    }

    /**
     * What a heartbeat of this rank has found.
     *
     * @param count how often the sibling's heart has beaten
     * @param terminated who has died or left
     */
    public record Heartbeat(int sibling, long count, IndexSet terminated) {}

    /** Rule 2, for a rank whose host is lost, found out by its sibling in iteration {@code k}; needs no answer. */
    public void lost(int k, Interruption interruption) {
        store.send(deathOf(interruption.rank(), k, interruption));
    }

    /**
     * Rule 6, for a rank that the decision left out, and rule 7, for one that was declared dead: nobody has to wait for it
     * any more, nor to hear of it when its process ends.
     */
    public CompletableFuture<?> leaveSilently() {
        return store.submit(
                List.of(new Operation.LastWill(List.of()), new Operation.AddToSet(TERMINATED, self)), store.timeout());
    }

    /** This rank leaves a job that has no iterations; needs no answer. */
    public void leaveBeforeFirst() {
        store.send(List.of(new Operation.AddToSet(TERMINATED, self)));
    }

    /** What is to be done when a rank has died or left in iteration {@code k}; any number of times is as good as one. */
    private List<Operation<?>> deathOf(int rank, int k, Interruption interruption) {
        Operation<?> terminated = new Operation.AddToSet(TERMINATED, IndexSet.of(rank));
        return k == BEFORE_FIRST
                ? List.of(terminated)
                : List.of(terminated, record(k, interruption, mostRecords()), claimInterrupted(k));
    }

    private static Operation<?> record(int k, Interruption interruption, long most) {
        return new Operation.Append(key(k, "records"), Texts.interruption(interruption), most);
    }

    /** Each rank reads all records: if all wrote one, the store would send the square of their number. */
    private long mostRecords() {
        return Math.min(MOST_RECORDS, MOST_RECORDS_READ / worldSize);
    }

    /** Waits until every rank that still lives is ready to part. */
    public CompletableFuture<?> part(Duration timeout) {
        Barrier barrier = Barrier.of("termination", everybody).excusing(TERMINATED);
        return store.submit(List.of(new Operation.Arrive(barrier, self, true)), timeout);
    }

    /** The keys of the wrapped function in iteration {@code k}; what it watched in the one before is watched no more. */
    public Store userStore(int k) {
        if (userStore != null) {
            userStore.endWatches();
        }
        userStore = new IterationStore(new PrefixStore(key(k, "user"), store));
        return userStore;
    }

    /** That this rank is at the barrier before iteration {@code k}, and perhaps waits there for the others. */
    private Operation<?> arrival(int k, boolean waits) {
        String name = k - 1 == BEFORE_FIRST ? "initial" : key(k - 1, "stopped");
        return new Operation.Arrive(Barrier.of(name, everybody).excusing(TERMINATED), self, waits);
    }

    private static Operation<?> claimInterrupted(int k) {
        return new Operation.Claim(key(k, "outcome"), Value.of(Outcome.INTERRUPTED.name()));
    }

    private static String state(int k) {
        return key(k, "state");
    }

    private static String heartbeats(int rank) {
        return "heartbeats/" + rank;
    }

    private static String keysOf(int rank) {
        return "keys/" + rank;
    }

    private static String key(int k, String name) {
        return k + "/" + name;
    }

    private static Object result(List<@Nullable Object> results, int index) {
        Object result = results.get(index);
        if (result == null) {
            throw new IllegalStateException("the store answered nothing where a value is due");
        }
        return result;
    }
}
