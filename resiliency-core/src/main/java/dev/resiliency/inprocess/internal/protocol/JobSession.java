package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.spi.StoreAddress.Protocol;
import java.time.Duration;
import java.util.List;

/** The session of one rank with the job's store. */
final class JobSession {
    private final SessionStore store;
    private final int rank;
    private final int worldSize;
    private final IndexSet self;
    private final IndexSet everybody;

    JobSession(SessionStore store, int rank, int worldSize) {
        this.store = store;
        this.rank = rank;
        this.worldSize = worldSize;
        this.self = IndexSet.of(rank);
        this.everybody = IndexSet.range(0, worldSize);
    }

    SessionStore store() {
        return store;
    }

    int rank() {
        return rank;
    }

    int worldSize() {
        return worldSize;
    }

    /**
     * Returns whether rank 0 may host the store: that is where it would do so. A standalone server at the same address has
     * no scope, while rank 0 gives its own one for each call.
     */
    boolean mayBeHostedAt(String address, int port) {
        StoreAddress at = store.address();
        return at != null
                && at.protocol() == Protocol.NATIVE
                && at.host().equals(address)
                && at.port() == port
                && !at.scope().isEmpty();
    }

    /** Returns this rank as a set. */
    IndexSet self() {
        return self;
    }

    /** Returns all initial ranks of the job. */
    IndexSet everybody() {
        return everybody;
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

    /**
     * Returns the arrival at the barrier before iteration {@code k} (rule 5), with or without a wait for the others.
     */
    Operation<Void> arrival(int k, boolean waits) {
        Barrier barrier = Barrier.of(JobKeys.stopped(k - 1), everybody).excusing(JobKeys.TERMINATED);
        return new Operation.Arrive(barrier, self, waits);
    }
}
