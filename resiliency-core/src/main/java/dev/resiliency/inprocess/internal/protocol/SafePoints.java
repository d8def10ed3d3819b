package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The side of the protocol by which the active ranks of an iteration stop at the same step of the function: rule 14.
 */
public final class SafePoints {
    private final JobSession session;
    private final Terminations terminations;
    private final FaultRecords records;
    private final JobKeys keys;

    SafePoints(JobSession session, Terminations terminations, FaultRecords records) {
        this.session = session;
        this.terminations = terminations;
        this.records = records;
        this.keys = session.keys();
    }

    /** The wait for the step of an iteration. */
    public final class Watch {
        private final int k;
        private final Consumer<Change> listener;

        private Watch(int k, LongConsumer onStep) {
            this.k = k;
            this.listener = change -> {
                if (change instanceof Change.Written written
                        && written.value().text().matches("\\d{1,18}")) { // else no rank has written it
                    onStep.accept(Long.parseLong(written.value().text()));
                }
            };
            session.send(new Operation.Watch(keys.safePoint(k), listener));
        }

        /** Ends the wait; needs no answer. */
        public void end() {
            session.send(new Operation.Unwatch(keys.safePoint(k), listener));
        }
    }

    /** Waits for the step at which all stop in iteration {@code k}; {@code onStep} is called by the store's thread. */
    public Watch watch(int k, LongConsumer onStep) {
        return new Watch(k, onStep);
    }

    /**
     * Publishes the step at which all stop in iteration {@code k}, unless that was done before.
     *
     * @param reasons why, as the restart reports it
     * @return fails if the store refuses it
     */
    public CompletableFuture<?> publish(int k, long step, List<Interruption> reasons) {
        Batch batch = session.batch();
        for (Interruption reason : reasons) {
            batch.add(records.fault(k, reason));
        }
        batch.add(new Operation.Claim(keys.safePoint(k), Value.of(Long.toString(step))));
        return batch.submit(session.limit());
    }

    /**
     * Reports that this active rank has stopped at the step of iteration {@code k}. The last one to do so interrupts
     * the iteration, in the same step. Await the outcome instead of this future, which only tells that the store has
     * heard it.
     */
    public CompletableFuture<?> arrive(int k) {
        Barrier barrier = Barrier.ofMembers(keys.safe(k), keys.active(k))
                .whenComplete(terminations.claimInterrupted(k, List.of()));
        Batch batch = session.batch();
        batch.add(new Operation.Arrive(barrier, session.self(), false));
        return batch.submit(session.limit());
    }

    /** Returns the active ranks that have not stopped at the step of iteration {@code k}. */
    public CompletableFuture<IndexSet> missing(int k) {
        return session.missingActive(k, keys.safe(k));
    }

    /**
     * Announces that this rank is to leave from iteration {@code k}.
     *
     * @param reason as the restart will report it
     * @return fails if the store refuses it
     */
    public CompletableFuture<?> announceLeaving(int k, Interruption reason) {
        Batch batch = session.batch();
        batch.add(records.fault(k, reason));
        batch.add(new Operation.AddToSet(keys.leaving(), session.self()));
        return batch.submit(session.limit());
    }

    /** Notifies the listener of all ranks that are to leave, until the session ends. */
    public void watchLeaving(Consumer<? super Change> listener) {
        session.send(new Operation.Watch(keys.leaving(), listener));
    }
}
