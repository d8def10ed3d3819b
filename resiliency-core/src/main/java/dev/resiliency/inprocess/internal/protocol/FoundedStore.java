package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The keys of a store that survivors found anew, and what its host writes into it: rule 22. Afterwards the job is where
 * it was when all had stopped in the last agreed iteration, or when that was complete.
 */
public final class FoundedStore {
    private final SessionStore store;
    private final JobSession session;
    private final JobKeys keys;
    private final FaultRecords faults;

    /**
     * Creates the view of the store that this generation is founded on.
     *
     * @param store has the prefix of the job's keys
     * @param identity that of this rank in the generation
     */
    public FoundedStore(SessionStore store, Identity identity) {
        this.store = store;
        this.session = new JobSession(store, identity, null);
        this.keys = session.keys();
        this.faults = new FaultRecords(identity);
    }

    /** Returns the prefix of the keys by which the store is founded, which no other run of the job has. */
    public static String prefix(Identity identity) {
        return "refound/" + identity.run() + "/";
    }

    /**
     * Writes the job as it was.
     *
     * @param k the iteration on which the store is founded
     * @param text the decision about it
     * @param isComplete whether it is complete
     * @param records of the faults of that iteration, as the earlier store held them; empty if it did not tell
     * @param why why the earlier store is lost. Its host is terminated, unless it is this rank: it is dead, or has been silent
     *     for too long
     * @param mark says that the store is founded
     */
    public CompletableFuture<?> found(
            int k, String text, boolean isComplete, String records, Interruption why, Operation<?> mark) {
        Identity identity = session.identity();
        World world = WorldCodec.read(text);
        IndexSet members = world.members();
        int numbers = Math.max(identity.worldSize(), members.highest() + 1);
        Map<String, Value> values = new LinkedHashMap<>();
        values.put(JobKeys.GENERATION, Value.of(identity.generation().text()));
        values.put(keys.run(), Value.of(identity.run()));
        values.put(keys.job(), Value.of(JobDescription.of(identity.worldSize())));
        for (int rank = 0; rank < identity.worldSize(); rank++) {
            values.put(keys.claim(rank), Value.of("founder"));
        }
        values.put(keys.decision(k), Value.of(identity.rank()));
        values.put(keys.world(k), Value.of(text));
        values.put(keys.latest(), Latest.write(k, members));
        values.put(
                keys.records(k), Value.of(records + InterruptionCodec.write(why).text()));
        values.put(keys.outcome(k), Value.of(isComplete ? Outcome.COMPLETED.name() : Outcome.INTERRUPTED.name()));
        Batch batch = session.batch();
        batch.add(new Operation.MultiSet(values));
        batch.add(new Operation.Add(keys.ids(), numbers - identity.worldSize()));
        IndexSet lost = IndexSet.of(why.rank()).minus(session.self());
        batch.add(new Operation.AddToSet(
                keys.terminated(), IndexSet.range(0, numbers).minus(members).union(lost)));
        batch.add(new Operation.AddToSet(keys.members(k), members));
        batch.add(new Operation.AddToSet(keys.active(k), world.activeMembers()));
        if (isComplete) {
            batch.add(new Operation.AddToSet(JobKeys.FINISHED, Member.FINISHED));
        }
        batch.add(mark);
        return batch.submit(session.limit());
    }

    /** Returns what the store does when this rank dies before it knows on which iteration the store is founded. */
    public Operation<?> lastWill() {
        return new Terminations(session, faults).lastWillOfJoiner();
    }

    /**
     * Returns whether this rank, a member of iteration {@code k}, still is one. If it dies from now on, that is recorded there, beside
     * the loss of the store.
     */
    public CompletableFuture<Boolean> goOn(int k) {
        Batch batch = session.batch();
        batch.add(new Terminations(session, faults).lastWill(k));
        Handle<IndexSet> terminated = batch.add(new Operation.Members(keys.terminated()));
        return batch.submit(session.limit())
                .thenApply(results -> !results.get(terminated).contains(session.rank()));
    }

    /** Declares these members of iteration {@code k} dead, which have not come. */
    public void terminate(int k, IndexSet ranks, Instant now) {
        List<Operation<?>> all = new ArrayList<>();
        ranks.forEach(rank -> all.add(faults.death(
                k,
                new Interruption(
                        rank, Interruption.Kind.TERMINATED, now, "it has not come since the store was lost"))));
        all.add(new Operation.AddToSet(keys.terminated(), ranks));
        session.store().send(all);
    }

    /**
     * Excuses this rank, which has died for this reason in iteration {@code k}, and accepts whatever the store decides next. The
     * reason comes first, for those who read it together with the decision.
     */
    public CompletableFuture<?> cede(int k, Interruption death) {
        Batch batch = session.batch();
        batch.add(faults.death(k, death));
        batch.add(new Operation.AddToSet(keys.ceded(), session.self()));
        batch.add(new Operation.AddToSet(keys.terminated(), session.self()));
        return batch.submit(session.limit());
    }

    /** Returns the limit of a request that does not wait for other ranks. */
    public Duration limit() {
        return store.timeout();
    }
}
