package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.concurrent.CompletableFuture;

/** The cycles of a job, in each of which all ranks start again. */
final class Cycles {
    private Cycles() {}

    /**
     * Calls a cycle, unless somebody else has; returns whether this call was the first.
     *
     * @param caller who calls it
     * @param reason for people
     */
    static CompletableFuture<Boolean> call(SessionStore store, int number, Value caller, String reason) {
        Batch batch = store.batch();
        batch.add(new Operation.Claim(Keys.call(number), caller));
        batch.add(new Operation.Set(Keys.CYCLE, Value.of(number + " " + reason)));
        return batch.submit(store.timeout()).thenApply(Batch.Results::allRan);
    }

    /** Returns the number of the cycle that was called last; 0 if none was. */
    static int number(Value current) {
        return current.size() == 0 ? 0 : Integer.parseInt(current.text().split(" ", 2)[0]);
    }
}
