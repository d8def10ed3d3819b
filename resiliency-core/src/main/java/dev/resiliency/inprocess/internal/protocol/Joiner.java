package dev.resiliency.inprocess.internal.protocol;

import static dev.resiliency.inprocess.internal.protocol.JobKeys.BEFORE_FIRST;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The side of the protocol of a process that waits to be admitted to the running job: rule 9. */
public final class Joiner {
    private final JobSession session;
    private final Terminations terminations;
    private final List<String> groupKeys;

    Joiner(JobSession session, Terminations terminations, List<String> groupKeys) {
        this.session = session;
        this.terminations = terminations;
        this.groupKeys = groupKeys;
    }

    /**
     * The admission of a joiner.
     *
     * @param iteration the first iteration of which it is a member
     * @param position its position in the world before, where its part of the decision is
     */
    public record Admitted(int iteration, int position) {}

    /**
     * Announces this process to the leader. If it dies before it is admitted, no iteration is interrupted.
     *
     * @param onFinished called when the job is complete
     * @param onSucceeded called when the job has moved on to another generation
     * @param joins whether the leader learns of this process at once; otherwise when it {@linkplain #join joins}
     * @return fails if the store refuses it
     */
    public CompletableFuture<?> announce(Runnable onFinished, Runnable onSucceeded, boolean joins) {
        Batch batch = session.batch();
        batch.add(terminations.lastWillOfJoiner());
        session.addGroupKeys(batch, groupKeys);
        if (joins) {
            batch.add(joined());
        }
        batch.add(new Operation.Watch(JobKeys.FINISHED, change -> {
            if (change instanceof Change.Joined) {
                onFinished.run();
            }
        }));
        Value own = Value.of(session.identity().generation().text());
        batch.add(new Operation.Watch(JobKeys.GENERATION, change -> {
            if (change instanceof Change.Written written && !written.value().equals(own)) {
                onSucceeded.run();
            }
        }));
        return batch.submit(session.limit());
    }

    /** Lets the leader know of this process, which has been announced without that. */
    public CompletableFuture<?> join() {
        Batch batch = session.batch();
        batch.add(joined());
        return batch.submit(session.limit());
    }

    private Operation<?> joined() {
        return new Operation.AddToSet(session.keys().joined(), session.self());
    }

    /** Waits until the leader admits this process, however long that takes. */
    public CompletableFuture<Admitted> awaitAdmission() {
        Batch batch = session.batch();
        Handle<Value> written = batch.add(new Operation.Get(session.keys().admitted(session.rank())));
        return batch.submit(Store.FOREVER).thenApply(results -> read(results.get(written)));
    }

    static Value write(Admitted admitted) {
        return Value.of(admitted.iteration() + " " + admitted.position());
    }

    private static Admitted read(Value value) {
        String[] fields = value.text().split(" ", 2);
        return new Admitted(Integer.parseInt(fields[0]), Integer.parseInt(fields[1]));
    }

    /**
     * Moves the job on to its next generation if all members of this one have died or left, so that no one can admit
     * this process. All who wait do so; the first one wins.
     *
     * @return whether the job has moved on
     */
    public CompletableFuture<Boolean> succeedIfOver() {
        Batch batch = session.batch();
        Latest.Reading end = Latest.Reading.in(batch, session.keys());
        Handle<IndexSet> finished = batch.add(new Operation.Members(JobKeys.FINISHED));
        return batch.submit(session.limit()).thenCompose(results -> {
            Latest last = end.of(results, session.identity().worldSize());
            return last.isOver(results.get(end.terminated()))
                            && results.get(finished).isEmpty()
                    ? Enrollment.succeed(session.store(), session.identity().generation(), last.iteration())
                            .thenApply(current -> true)
                    : CompletableFuture.completedFuture(false);
        });
    }

    /**
     * Ends the rendezvous of the founders if none that has come lives, and the others have not come for long enough:
     * then no one is left who could (rule 11). The generation is over with that.
     *
     * @return whether it has tried to
     */
    public CompletableFuture<Boolean> endRendezvousOfTheDead() {
        String initial = session.keys().stopped(BEFORE_FIRST);
        Batch reading = session.batch();
        Handle<IndexSet> arrived = reading.add(new Operation.Members(initial));
        Latest.Reading end = Latest.Reading.in(reading, session.keys());
        return reading.submit(session.limit()).thenCompose(results -> {
            IndexSet came = results.get(arrived);
            boolean hasBegun = end.of(results, session.identity().worldSize()).iteration() != BEFORE_FIRST;
            if (hasBegun || !results.get(end.terminated()).containsAll(came)) {
                return CompletableFuture.completedFuture(false);
            }
            Batch batch = session.batch();
            batch.add(new Operation.Confirm(initial, came));
            batch.add(new Operation.AddToSet(session.keys().terminated(), session.founders()));
            return batch.submit(session.limit()).thenApply(done -> true);
        });
    }
}
