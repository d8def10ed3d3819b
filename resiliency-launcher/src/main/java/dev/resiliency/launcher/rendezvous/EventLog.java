package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes what happens in a job to its store, which keeps the last {@link #MOST} events. Safe for use by many threads. */
final class EventLog {
    /** How many events are kept. */
    static final int MOST = 1000;

    private final SessionStore store;
    private final String node;
    private final AtomicInteger claims = new AtomicInteger();

    /**
     * Creates the log of one writer.
     *
     * @param store with the prefix of the job
     * @param node who writes: see {@link JobEvent#node}
     */
    EventLog(SessionStore store, String node) {
        this.store = store;
        this.node = node;
    }

    /** Writes an event. */
    CompletableFuture<?> record(JobEvent.Kind kind, String text) {
        return record(store.batch(), kind, text);
    }

    /**
     * Writes an event that several agents may notice, unless one has written it.
     *
     * @param what names it among all events of the job
     * @return whether this is the first
     */
    CompletableFuture<Boolean> recordOnce(String what, JobEvent.Kind kind, String text) {
        Batch batch = store.batch();
        batch.add(new Operation.Claim(Keys.once(what), Value.of(store.session() + "." + claims.incrementAndGet())));
        return record(batch, kind, text);
    }

    /** The number comes from the store, and only then the event can be written: so its order is the same for all who read. */
    private CompletableFuture<Boolean> record(Batch batch, JobEvent.Kind kind, String text) {
        Value event = JobEvent.write(Instant.now(), node, kind, text);
        Handle<Long> number = batch.add(new Operation.Add(Keys.EVENTS, 1));
        return batch.submit(store.timeout())
                .thenCompose(results -> results.ran(number)
                        ? write(results.get(number), event).thenApply(done -> true)
                        : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<?> write(long number, Value event) {
        Batch batch = store.batch();
        batch.add(new Operation.Set(Keys.event(number), event));
        batch.add(new Operation.Delete(Keys.event(number - MOST)));
        return batch.submit(store.timeout());
    }
}
