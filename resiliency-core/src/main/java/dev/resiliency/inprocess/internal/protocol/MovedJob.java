package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What a store says that is where a job once was, and the job lives elsewhere: rule 24. */
public final class MovedJob {
    private MovedJob() {}

    /** Waits until a store holds the job. */
    public static void awaitFoundation(SessionStore store, Duration limit) throws InterruptedException {
        store.get(JobKeys.GENERATION, limit);
    }

    /** Writes where the job lives. */
    public static CompletableFuture<?> tell(SessionStore store, StoreSeat seat) {
        Batch batch = store.batch();
        batch.add(new Operation.Set(JobKeys.MOVED, Value.of(seat.write())));
        return batch.submit(store.timeout());
    }
}
