package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes what happens in a job to its store, which keeps the first event, by which the job has begun, and the last {@link #MOST}. Safe
 * for use by many threads.
 */
final class EventLog {
    /** How many events are kept, beside the first. */
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
        return record(store.batch(), Instant.now(), kind, text);
    }

    /** Writes an event that several agents may notice just now, unless one has written it. */
    CompletableFuture<Boolean> recordOnce(String what, JobEvent.Kind kind, String text) {
        return recordOnce(what, Instant.now(), kind, text);
    }

    /**
     * Writes an event that several agents may notice, unless one has written it.
     *
     * @param what names it among all events of the job
     * @param time when it has happened
     * @return whether this is the first
     */
    CompletableFuture<Boolean> recordOnce(String what, Instant time, JobEvent.Kind kind, String text) {
        Batch batch = store.batch();
        batch.add(new Operation.Claim(Keys.once(what), Value.of(store.session() + "." + claims.incrementAndGet())));
        return record(batch, time, kind, text);
    }

    /** The number comes from the store, and only then the event can be written: so its order is the same for all who read. */
    private CompletableFuture<Boolean> record(Batch batch, Instant time, JobEvent.Kind kind, String text) {
        Value event = JobEvent.write(time, node, kind, text);
        Handle<Long> number = batch.add(new Operation.Add(Keys.EVENTS, 1));
        return batch.submit(store.timeout())
                .thenCompose(results -> results.ran(number)
                        ? write(results.get(number), event).thenApply(done -> true)
                        : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<?> write(long number, Value event) {
        Batch batch = store.batch();
        batch.add(new Operation.Set(Keys.event(number), event));
        if (number - MOST > 1) {
            batch.add(new Operation.Delete(Keys.event(number - MOST)));
        }
        return batch.submit(store.timeout());
    }
}
