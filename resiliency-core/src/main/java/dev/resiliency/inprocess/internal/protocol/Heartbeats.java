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
     * @param living the ranks that take part in the ring: founders and joiners that have neither died nor left
     */
    public record Heartbeat(int sibling, long count, IndexSet living) {}

    /** Increments the heartbeat of this rank, and reads that of {@code sibling}. */
    public CompletableFuture<Heartbeat> beat(int sibling) {
        JobKeys keys = session.keys();
        Batch batch = session.batch();
        batch.add(new Operation.Add(keys.heartbeats(session.rank()), 1));
        Handle<Long> count = batch.add(new Operation.Add(keys.heartbeats(sibling), 0));
        Handle<IndexSet> joined = batch.add(new Operation.Members(keys.joined()));
        Handle<IndexSet> terminated = batch.add(new Operation.Members(keys.terminated()));
        return batch.submit(session.limit())
                .thenApply(results -> new Heartbeat(
                        sibling,
                        results.get(count),
                        session.founders().union(results.get(joined)).minus(results.get(terminated))));
    }
}
