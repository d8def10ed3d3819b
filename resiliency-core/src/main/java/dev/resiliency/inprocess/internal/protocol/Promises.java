package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The promises of an agent that starts a process again: the survivors that wait for a replacement wait for those who are
 * promised, and for no longer than the agent lives. Confined to the thread of the agent.
 *
 * <p>A promise is the number that the new process will have. It is open until that process has joined, or until the
 * agent dies.
 */
public final class Promises {
    private final SessionStore store;
    private final JobKeys keys;
    private final int worldSize;
    private IndexSet made = IndexSet.empty();

    /**
     * Creates the promises of one agent.
     *
     * @param store the agent's own session, whose last will is replaced, with the prefix of the job
     */
    public Promises(SessionStore store, Generation generation, int worldSize) {
        this.store = store;
        this.keys = new JobKeys(generation);
        this.worldSize = worldSize;
    }

    /** Promises one process; returns the number by which it must enroll. */
    public CompletableFuture<Integer> make() {
        return Enrollment.drawNumber(store, keys, worldSize).thenCompose(number -> {
            IndexSet promise = IndexSet.of(number);
            made = made.union(promise);
            Batch batch = store.batch();
            batch.add(new Operation.LastWill(List.of(new Operation.AddToSet(keys.broken(), made))));
            batch.add(new Operation.AddToSet(keys.promised(), promise));
            return batch.submit(store.timeout()).thenApply(done -> number);
        });
    }
}
