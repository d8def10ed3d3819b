package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What a store says that is where a job once was, and the job lives elsewhere: rule 24. */
public final class MovedJob {
    private MovedJob() {}

    /** Waits until a store holds the job. */
    public static void awaitFoundation(SessionStore store, Duration limit) throws InterruptedException {
        store.get(JobKeys.GENERATION, limit);
    }

    /** Returns where a store says that the job lives; empty if it does not. */
    public static List<StoreSeat> ask(SessionStore store) throws InterruptedException {
        return store.check(List.of(JobKeys.MOVED))
                ? StoreSeat.readAll(store.get(JobKeys.MOVED).text())
                : List.of();
    }

    /** Writes where the job lives. */
    public static CompletableFuture<?> tell(SessionStore store, StoreSeat seat) {
        Batch batch = store.batch();
        batch.add(new Operation.Set(JobKeys.MOVED, Value.of(seat.write())));
        return batch.submit(store.timeout());
    }
}
