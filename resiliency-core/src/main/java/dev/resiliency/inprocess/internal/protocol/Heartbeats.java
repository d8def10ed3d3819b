package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import java.util.concurrent.CompletableFuture;

/** Heartbeats in the store, by which the monitor processes watch each other where the store keeps no sessions. */
public final class Heartbeats {
    private final JobSession session;

    Heartbeats(JobSession session) {
        this.session = session;
    }

    /**
     * The answer to a rank's own heartbeat.
     *
     * @param sibling the rank whose heartbeat was read
     * @param count the sibling's heartbeat; 0 before its first
     * @param terminated the ranks that have died or left
     */
    public record Heartbeat(int sibling, long count, IndexSet terminated) {}

    /** Increments the heartbeat of this rank, and reads that of {@code sibling}. */
    public CompletableFuture<Heartbeat> beat(int sibling) {
        Batch batch = session.batch();
        batch.add(new Operation.Add(JobKeys.heartbeats(session.rank()), 1));
        Handle<Long> count = batch.add(new Operation.Add(JobKeys.heartbeats(sibling), 0));
        Handle<IndexSet> terminated = batch.add(new Operation.Members(JobKeys.TERMINATED));
        return batch.submit(session.limit())
                .thenApply(results -> new Heartbeat(sibling, results.get(count), results.get(terminated)));
    }
}
