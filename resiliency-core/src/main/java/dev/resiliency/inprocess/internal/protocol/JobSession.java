package dev.resiliency.inprocess.internal.protocol;

import static dev.resiliency.inprocess.internal.protocol.JobKeys.BEFORE_FIRST;

import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The session of one rank with the job's store. */
public final class JobSession {
    /** Nothing holds it, so it replaces nothing. */
    private static final Value NOTHING = Value.of("nothing");

    private final SessionStore store;
    private final Identity identity;
    private final @Nullable StoreSeat host;
    private final JobKeys keys;
    private final IndexSet self;
    private final IndexSet founders;

    JobSession(SessionStore store, Identity identity) {
        this(store, identity, null);
    }

    /** @param host who hosts the store that survivors found anew when it is lost; null if they do not */
    JobSession(SessionStore store, Identity identity, @Nullable StoreSeat host) {
        this.host = host;
        this.store = store;
        this.identity = identity;
        this.keys = new JobKeys(identity.generation());
        this.self = IndexSet.of(identity.rank());
        this.founders = IndexSet.range(0, identity.worldSize());
    }

    SessionStore store() {
        return store;
    }

    /** Returns who hosts the store that survivors found anew when it is lost; null if they do not. */
    @Nullable
    StoreSeat host() {
        return host;
    }

    /** Returns the rank that hosts the store, if any rank does. */
    int hostRank() {
        return host == null ? 0 : host.rank();
    }

    Identity identity() {
        return identity;
    }

    int rank() {
        return identity.rank();
    }

    /** Returns the names of the keys of this rank's generation. */
    JobKeys keys() {
        return keys;
    }

    /** Returns this rank as a set. */
    IndexSet self() {
        return self;
    }

    /** Returns the ranks that are expected at the beginning of the generation. */
    IndexSet founders() {
        return founders;
    }

    /**
     * Returns whether rank 0 may host the store: that is where it would do so. A standalone server at the same address has
     * no scope, while rank 0 gives its own one for each call.
     */
    public static boolean mayBeHostedAt(SessionStore store, String address, int port) {
        StoreAddress at = store.address();
        return at != null
                && at.host().equals(address)
                && at.port() == port
                && !at.scope().isEmpty();
    }

    /** Returns the limit of a request that does not wait for other ranks. */
    Duration limit() {
        return store.timeout();
    }

    Batch batch() {
        return store.batch();
    }

    /** Sends an operation without asking for an answer. */
    void send(Operation<?> operation) {
        store.send(List.of(operation));
    }

    /** Returns an operation that reads a key without waiting; empty if it is absent. */
    static Operation<Value> peek(String key) {
        return new Operation.CompareAndSet(key, NOTHING, NOTHING);
    }

    /** Publishes the keys by which the rank assignment groups this rank, if it needs any. */
    void addGroupKeys(Batch batch, List<String> groupKeys) {
        if (!groupKeys.isEmpty()) {
            batch.add(new Operation.Set(keys.groupKeys(rank()), Value.of(WorldCodec.writeAll(groupKeys))));
        }
    }

    /** Returns the active ranks that have not arrived at this barrier of iteration {@code k}. */
    CompletableFuture<IndexSet> missingActive(int k, String barrier) {
        Batch batch = batch();
        Handle<IndexSet> active = batch.add(new Operation.Members(keys.active(k)));
        Handle<IndexSet> arrived = batch.add(new Operation.Members(barrier));
        return batch.submit(limit()).thenApply(results -> results.get(active).minus(results.get(arrived)));
    }

    /** Returns the iteration before {@code k} in this generation. */
    int before(int k) {
        return k == identity.generation().firstIteration() ? BEFORE_FIRST : k - 1;
    }

    /** Returns the iteration after {@code k} in this generation. */
    int after(int k) {
        return k == BEFORE_FIRST ? identity.generation().firstIteration() : k + 1;
    }

    /**
     * Returns the arrival at the barrier before iteration {@code k} (rule 5), with or without a wait for the others.
     */
    Operation<Void> arrival(int k, boolean waits) {
        int before = before(k);
        Barrier barrier = before == BEFORE_FIRST
                ? Barrier.of(keys.stopped(before), founders)
                : Barrier.ofMembers(keys.stopped(before), keys.members(before));
        return new Operation.Arrive(barrier.excusing(keys.terminated()), self, waits);
    }
}
