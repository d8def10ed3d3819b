package dev.resiliency.launcher.rendezvous;

import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.concurrent.CompletableFuture;

/**
 * The cycles of a job, in each of which all ranks start again. One key has the latest: its number, who has called it, and why. Another
 * one says how each ends: the next was called, or the job has completed. The first stands.
 */
final class Cycles {
    private static final int FIELDS = 3;
    private static final Value CALLED = Value.of("called");
    private static final Value COMPLETED = Value.of("completed");

    private Cycles() {}

    /**
     * Calls a cycle, unless it was called before, or a later one was, or the job has completed: its ranks know that before their
     * agents do.
     *
     * @param session of the store, without a prefix
     * @param caller who calls it: one word, which no other call of this cycle has
     * @param reason for people
     */
    static CompletableFuture<CycleCall> call(
            SessionStore session, String jobId, int number, String caller, String reason) {
        Batch reading = session.batch();
        Handle<Value> current = reading.add(Keys.peek(Keys.inStore(jobId, Keys.CYCLE)));
        return reading.submit(session.timeout()).thenCompose(results -> {
            Value latest = results.get(current);
            return number(latest) < number
                    ? replace(session, jobId, latest, Value.of("%d %s %s".formatted(number, caller, reason)))
                    : CompletableFuture.completedFuture(CycleCall.LATE);
        });
    }

    /** Whoever else has called a cycle since the latest was read is first. */
    private static CompletableFuture<CycleCall> replace(SessionStore session, String jobId, Value latest, Value next) {
        Batch batch = session.batch();
        batch.add(LaunchedJob.confirmThatItIsOpen(jobId));
        batch.add(new Operation.Claim(Keys.inStore(jobId, Keys.outcome(number(latest))), CALLED));
        Handle<Value> standing = batch.add(new Operation.CompareAndSet(Keys.inStore(jobId, Keys.CYCLE), latest, next));
        return batch.submit(session.timeout()).thenApply(results -> {
            if (!results.ran(standing)) {
                return CycleCall.COMPLETE;
            }
            return results.get(standing).equals(next) ? CycleCall.FIRST : CycleCall.LATE;
        });
    }

    /** Ends the batch if another cycle was called after this one; otherwise none will be, as the job has completed. */
    static Operation<?> complete(int cycle) {
        return new Operation.Claim(Keys.outcome(cycle), COMPLETED);
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
