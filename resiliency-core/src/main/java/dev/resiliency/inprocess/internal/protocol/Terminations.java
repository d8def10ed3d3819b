package dev.resiliency.inprocess.internal.protocol;

import static dev.resiliency.inprocess.internal.protocol.JobKeys.BEFORE_FIRST;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reports to the job that a rank has died or left: rule 2. */
public final class Terminations {
    private final JobSession session;
    private final FaultRecords records;

    Terminations(JobSession session, FaultRecords records) {
        this.session = session;
        this.records = records;
    }

    /** Returns what the store does when this rank dies in iteration {@code k}. */
    Operation<?> lastWill(int k) {
        return new Operation.LastWill(death(k, endWithoutGoodbye()));
    }

    /** Returns what the store does when this rank dies before the first iteration. */
    Operation<?> lastWillBeforeFirst() {
        return new Operation.LastWill(death(BEFORE_FIRST, endWithoutGoodbye()));
    }

    /** Returns what the store does when this process dies before it is admitted: no one is interrupted. */
    Operation<?> lastWillOfJoiner() {
        return new Operation.LastWill(end(endWithoutGoodbye()));
    }

    private Interruption endWithoutGoodbye() {
        return new Interruption(
                session.rank(), Interruption.Kind.TERMINATED, null, "its session ended without a goodbye");
    }

    /**
     * Reports that this rank leaves, or has died, in iteration {@code k}. The others may have continued without it long
     * ago and deleted the keys of that iteration: then whatever this request or a last will has written is deleted as
     * well. Or they may just have decided the next iteration, still with this rank: then the report is repeated there,
     * where it interrupts them.
     */
    public CompletableFuture<?> leave(int k, Interruption interruption) {
        if (k == BEFORE_FIRST && session.identity().isJoiner()) {
            return leaveSilently(interruption); // rule 3 makes up for it if the leader has just admitted this rank
        }
        Batch batch = session.batch();
        JobKeys keys = session.keys();
        int after = session.after(k);
        Handle<Boolean> isDecided = batch.add(new Operation.Check(List.of(keys.decision(k))));
        Handle<Boolean> isNextDecided = batch.add(new Operation.Check(List.of(keys.decision(after))));
        Handle<IndexSet> terminated = batch.add(new Operation.Members(keys.terminated()));
        batch.add(noLastWill());
        batch.addAll(death(k, interruption)); // the last: it ends at the claim if the iteration has completed
        return batch.submit(session.limit()).thenAccept(results -> {
            if (k != BEFORE_FIRST && !results.get(isDecided)) {
                session.send(new Operation.DeleteAll(keys.prefix(k)));
            } else if (results.get(isNextDecided) && !results.get(terminated).contains(session.rank())) {
                session.store().send(death(after, interruption));
            }
        });
    }

    /**
     * Excuses this rank without interrupting an iteration: the decision left it out (rule 6), or it was declared dead
     * (rule 7).
     */
    public CompletableFuture<?> leaveSilently(Interruption interruption) {
        Batch batch = session.batch();
        batch.add(noLastWill());
        batch.addAll(end(interruption));
        return batch.submit(session.limit());
    }

    /**
     * Excuses this rank, which leaves on purpose after iteration {@code k} was interrupted: it has not arrived at the
     * barrier after it, so it is no member of the next one, and interrupts nobody. The reason comes first, for those
     * who read the records together with the decision.
     */
    public CompletableFuture<?> leaveOnPurpose(int k, Interruption reason) {
        Batch batch = session.batch();
        batch.add(noLastWill());
        batch.add(records.death(k, reason));
        batch.addAll(end(reason));
        return batch.submit(session.limit());
    }

    /** Records why this rank is about to end in iteration {@code k}; whoever reports its end, once it has, knows less. */
    public CompletableFuture<?> note(int k, Interruption interruption) {
        Batch batch = session.batch();
        batch.add(records.death(k, interruption));
        return batch.submit(session.limit());
    }

    /** Waits until faults are recorded in iteration {@code k}, and returns those of this rank. For logs. */
    public CompletableFuture<List<Interruption>> ownFaults(int k) {
        Batch batch = session.batch();
        Handle<Value> written = batch.add(new Operation.Get(session.keys().records(k)));
        return batch.submit(session.limit())
                .thenApply(results -> records.read(results.get(written)).stream()
                        .filter(fault -> fault.rank() == session.rank())
                        .toList());
    }

    /** Returns the operations that report the end of the interruption's rank in iteration {@code k}. Idempotent. */
    private List<Operation<?>> death(int k, Interruption interruption) {
        List<Operation<?>> death = new ArrayList<>();
        death.add(records.death(k, interruption));
        death.addAll(end(interruption));
        if (k != BEFORE_FIRST) {
            death.add(claimInterrupted(k, List.of(interruption)));
        }
        return death;
    }

    /** The reason comes first: the store may end right after it, with its host. */
    private List<Operation<?>> end(Interruption interruption) {
        Operation<?> terminated = new Operation.AddToSet(session.keys().terminated(), IndexSet.of(interruption.rank()));
        return interruption.rank() == session.hostRank()
                ? List.of(
                        new Operation.CompareAndSet(
                                session.keys().host(), Value.empty(), InterruptionCodec.write(interruption)),
                        terminated)
                : List.of(terminated);
    }

    private static Operation<?> noLastWill() {
        return new Operation.LastWill(List.of());
    }

    /** Returns the claim that interrupts iteration {@code k} for these reasons if its outcome is open (rules 1 to 3). */
    Operation<Value> claimInterrupted(int k, List<Interruption> reasons) {
        return new Operation.Claim(session.keys().outcome(k), Outcome.interruptedBy(reasons));
    }
}
