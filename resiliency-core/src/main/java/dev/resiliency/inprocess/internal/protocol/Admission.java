package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Batch.Results;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;

/** The identity of a run of a job and of its ranks: rule 8. */
public final class Admission {
    private static final int BYTES_OF_ID = 8;

    private final JobSession session;
    private final Terminations terminations;

    Admission(JobSession session, Terminations terminations) {
        this.session = session;
        this.terminations = terminations;
    }

    /**
     * Claims this rank's number for its session; if it dies from now on, it is excused. The first request of each rank.
     * A refused claim ends its batch before anything is written.
     *
     * @param masterAddress the address where rank 0 may host the store: there it claims first, so that no stranger
     *     founds the job
     * @param limit how long to wait for rank 0 there
     * @return the id of the run; fails with {@link RankFencedException} if the job refuses this rank, which must then
     *     write nothing
     */
    public CompletableFuture<String> claim(String masterAddress, int masterPort, Duration limit) {
        Batch batch = session.batch();
        boolean followsHost = session.rank() != 0 && session.mayBeHostedAt(masterAddress, masterPort);
        if (followsHost) {
            batch.add(new Operation.Get(JobKeys.JOB));
        }
        Claim claim = new Claim(
                batch.add(new Operation.CompareAndSet(JobKeys.RUN, Value.empty(), Value.of(randomId()))),
                batch.add(new Operation.Members(JobKeys.TERMINATED)),
                batch.add(new Operation.Claim(JobKeys.JOB, Value.of(JobDescription.of(session.worldSize())))),
                batch.add(new Operation.Claim(
                        JobKeys.claim(session.rank()), Value.of(session.store().session()))));
        batch.add(terminations.lastWillBeforeFirst());
        return batch.submit(followsHost ? limit : session.limit())
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        followsHost && failure instanceof StoreTimeoutException ? withoutHost(limit) : failure))
                .thenApply(results -> runOf(claim, results));
    }

    /** Where the results of a claim are, in the order of its operations. */
    private record Claim(Handle<Value> run, Handle<IndexSet> terminated, Handle<Value> job, Handle<Value> rank) {}

    /** Returns the run that has admitted this rank; throws if it has not. */
    private String runOf(Claim claim, Results results) {
        String run = results.get(claim.run()).text();
        boolean hasGone = results.get(claim.terminated()).contains(session.rank());
        if (results.allRan() && !hasGone) {
            return run;
        }
        String difference;
        if (!results.ran(claim.rank())) {
            difference = JobDescription.difference(results.get(claim.job()).text(), session.worldSize());
        } else if (hasGone) {
            difference = "this rank has left it or was declared dead, and cannot come back; to run with it again,"
                    + " start the whole job anew";
        } else {
            difference = "another process is this rank; was it started twice, or does a second job use the address of"
                    + " the first?";
        }
        StoreAddress address = session.store().address();
        throw new RankFencedException(
                session.rank(),
                "the job %s(run %s) does not admit it: %s"
                        .formatted(address == null ? "" : "at " + address + " ", run, difference));
    }

    private static String randomId() {
        byte[] id = new byte[BYTES_OF_ID];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    private static StoreTimeoutException withoutHost(Duration limit) {
        return new StoreTimeoutException(
                "rank 0, which hosts the store, has not joined the job within %.1f s".formatted(limit.toMillis() / 1e3),
                limit);
    }

    /** Returns whether the store holds this run of the job. A store that was started anew holds none, or another. */
    public CompletableFuture<Boolean> holds(String run) {
        Batch batch = session.batch();
        Value id = Value.of(run);
        Handle<Value> there = batch.add(new Operation.CompareAndSet(JobKeys.RUN, id, id)); // reads without waiting
        return batch.submit(session.limit())
                .thenApply(results -> results.get(there).equals(id));
    }
}
