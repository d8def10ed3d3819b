package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.concurrent.CompletableFuture;

/**
 * The cycles of a job, in each of which all ranks start again. One key has the latest: its number, who has called it, and why.
 */
final class Cycles {
    private static final int FIELDS = 3;

    private Cycles() {}

    /**
     * Calls a cycle, unless it was called before, or a later one was; returns whether this call was the first.
     *
     * @param caller who calls it: one word, which no other call of this cycle has
     * @param reason for people
     */
    static CompletableFuture<Boolean> call(SessionStore store, int number, String caller, String reason) {
        Batch reading = store.batch();
        Handle<Value> current = reading.add(Keys.peek(Keys.CYCLE));
        return reading.submit(store.timeout()).thenCompose(results -> {
            Value latest = results.get(current);
            return number(latest) < number
                    ? replace(store, latest, Value.of("%d %s %s".formatted(number, caller, reason)))
                    : CompletableFuture.completedFuture(false);
        });
    }

    /** Whoever else has called a cycle since the latest was read is first. */
    private static CompletableFuture<Boolean> replace(SessionStore store, Value latest, Value next) {
        Batch batch = store.batch();
        Handle<Value> standing = batch.add(new Operation.CompareAndSet(Keys.CYCLE, latest, next));
        return batch.submit(store.timeout())
                .thenApply(results -> results.get(standing).equals(next));
    }

    /** Returns the number of the cycle that was called last; 0 if none was. */
    static int number(Value latest) {
        return latest.size() == 0 ? 0 : Integer.parseInt(latest.text().split(" ", 2)[0]);
    }

    /** Returns why it was called. */
    static String reason(Value latest) {
        return latest.text().split(" ", FIELDS)[2];
    }
}
