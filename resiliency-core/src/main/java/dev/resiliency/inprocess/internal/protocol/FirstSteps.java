package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import java.util.concurrent.CompletableFuture;

/**
 * The side of the protocol by which a rank that makes no progress learns whether it waits for one that has made no step
 * in the iteration yet: rule 16.
 */
public final class FirstSteps {
    private final JobSession session;
    private final JobKeys keys;

    FirstSteps(JobSession session) {
        this.session = session;
        this.keys = session.keys();
    }

    /**
     * What the members of an iteration have said of its beginning.
     *
     * @param missing the living active members that have made no step
     * @param paused those that have paused their hang protection before their first step, and not resumed it
     * @param stalled those that have made no progress, or have said that they wait for others
     */
    public record Beginning(IndexSet missing, IndexSet paused, IndexSet stalled) {}

    /** Reports that this active rank has made a step in iteration {@code k}; needs no answer. */
    public void announce(int k) {
        session.send(new Operation.AddToSet(keys.begun(k), session.self()));
    }

    /**
     * The first step of the function in an iteration.
     *
     * @param rank whose function it was
     * @param step its number
     */
    public record FirstStepOf(int rank, long step) {
        private static FirstStepOf read(String text) {
            String[] fields = text.split(" ", 2);
            return new FirstStepOf(Integer.parseInt(fields[0]), Long.parseLong(fields[1]));
        }
    }

    /**
     * Reports that this active rank has made this step in iteration {@code k}, as its first one.
     *
     * @return the first step of the first rank that has reported one
     */
    public CompletableFuture<FirstStepOf> announce(int k, long step) {
        Batch batch = session.batch();
        batch.add(new Operation.AddToSet(keys.begun(k), session.self()));
        Handle<Value> claim = batch.add(new Operation.Claim(keys.beginning(k), Value.of(session.rank() + " " + step)));
        return batch.submit(session.limit())
                .thenApply(results -> FirstStepOf.read(results.get(claim).text()));
    }

    /** Reports that this rank has paused its hang protection before its first step; needs no answer. */
    public void announcePause(int k) {
        session.send(new Operation.AddToSet(keys.paused(k), session.self()));
    }

    /** Reports the end of that pause; needs no answer. */
    public void announceResumption(int k) {
        session.send(new Operation.AddToSet(keys.resumed(k), session.self()));
    }

    /** Reports that this rank says that it waits for others, and has not made its first step; needs no answer. */
    public void announceWait(int k) {
        session.send(new Operation.AddToSet(keys.stalled(k), session.self()));
    }

    /** Returns whether others make no progress in iteration {@code k}, and so may wait for this rank. */
    public CompletableFuture<Boolean> isAwaited(int k) {
        Batch batch = session.batch();
        Handle<IndexSet> stalled = batch.add(new Operation.Members(keys.stalled(k)));
        return batch.submit(session.limit())
                .thenApply(
                        results -> !results.get(stalled).minus(session.self()).isEmpty());
    }

    /** Reports that this rank makes no progress, and returns for whom it may wait in iteration {@code k}. */
    public CompletableFuture<Beginning> look(int k) {
        Batch batch = session.batch();
        batch.add(new Operation.AddToSet(keys.stalled(k), session.self()));
        Handle<IndexSet> active = batch.add(new Operation.Members(keys.active(k)));
        Handle<IndexSet> begun = batch.add(new Operation.Members(keys.begun(k)));
        Handle<IndexSet> terminated = batch.add(new Operation.Members(keys.terminated()));
        Handle<IndexSet> paused = batch.add(new Operation.Members(keys.paused(k)));
        Handle<IndexSet> resumed = batch.add(new Operation.Members(keys.resumed(k)));
        Handle<IndexSet> stalled = batch.add(new Operation.Members(keys.stalled(k)));
        return batch.submit(session.limit())
                .thenApply(results -> new Beginning(
                        results.get(active).minus(results.get(begun)).minus(results.get(terminated)),
                        results.get(paused).minus(results.get(resumed)),
                        results.get(stalled)));
    }
}
