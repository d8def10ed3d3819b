package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Batch.Results;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;

/** How a process comes to its job, and what the store makes of it: rule 8. The first requests of each process. */
public final class Enrollment {
    private static final Logger LOG = SafeLog.of(Enrollment.class);

    private static final int BYTES_OF_ID = 8;

    private final SessionStore store;
    private final int rank;
    private final int worldSize;
    private final boolean followsHost;
    private final Duration limitForHost;
    private final boolean mayJoin;
    private final OptionalInt promise;

    /**
     * Creates the enrollment of one process.
     *
     * @param rank the rank that its launcher gave it
     * @param masterAddress the address where rank 0 may host the store: there it comes first, so that no stranger founds
     *     the job
     * @param limitForHost how long to wait for rank 0 there
     * @param mayJoin whether the process may join a job that runs; otherwise it is refused
     * @param promise the number that an agent has promised for this process, if it has: see {@link Promises}
     */
    public Enrollment(
            SessionStore store,
            int rank,
            int worldSize,
            String masterAddress,
            int masterPort,
            Duration limitForHost,
            boolean mayJoin,
            OptionalInt promise) {
        this.store = store;
        this.rank = rank;
        this.worldSize = worldSize;
        this.followsHost = rank != 0 && JobSession.mayBeHostedAt(store, masterAddress, masterPort);
        this.limitForHost = limitForHost;
        this.mayJoin = mayJoin;
        this.promise = promise;
    }

    /**
     * Claims the rank of this process for its session, or the number of a joiner. A founder that dies from now on is
     * excused.
     *
     * @return the identity of the process; empty if the job is complete. Fails with {@link RankFencedException} if the
     *     job refuses this process, which must then write nothing
     */
    public CompletableFuture<Optional<Identity>> enroll() {
        return claim(Generation.FIRST);
    }

    /** Where the results of a claim are, in the order of its operations. */
    private record Claim(
            Handle<IndexSet> finished,
            Handle<Value> generation,
            Handle<Value> run,
            Handle<IndexSet> terminated,
            Handle<Value> job,
            Handle<Value> rank) {}

    /**
     * Claims the rank in this generation, in a batch that ends before it writes anything of this process if the job is
     * complete, another generation is current, the job has another size or version, or the rank is taken.
     */
    private CompletableFuture<Optional<Identity>> claim(Generation generation) {
        JobKeys keys = new JobKeys(generation);
        Batch batch = store.batch();
        String id = randomId();
        boolean waitsForHost = followsHost && generation.equals(Generation.FIRST);
        if (waitsForHost) {
            batch.add(new Operation.Get(keys.job()));
        }
        Claim claim = new Claim(
                batch.add(new Operation.Confirm(JobKeys.FINISHED, IndexSet.empty())),
                batch.add(new Operation.Claim(JobKeys.GENERATION, Value.of(generation.text()))),
                batch.add(new Operation.CompareAndSet(keys.run(), Value.empty(), Value.of(id))),
                batch.add(new Operation.Members(keys.terminated())),
                batch.add(new Operation.Claim(keys.job(), Value.of(JobDescription.of(worldSize)))),
                batch.add(new Operation.Claim(keys.claim(rank), Value.of(store.session()))));
        Identity founder = new Identity(rank, worldSize, generation, "");
        batch.add(new Terminations(new JobSession(store, founder), new FaultRecords(founder)).lastWillBeforeFirst());
        return batch.submit(waitsForHost ? limitForHost : store.timeout())
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        waitsForHost && failure instanceof StoreTimeoutException ? withoutHost() : failure))
                .thenCompose(results -> {
                    if (results.ran(claim.run())
                            && results.get(claim.run()).text().equals(id)) {
                        deleteBefore(generation);
                    }
                    return proceed(claim, generation, results);
                });
    }

    /**
     * The leader of a generation deletes the keys of the one before with its first decision; but it may die just then, or before it has
     * decided anything. So the first process of the next one does.
     */
    private void deleteBefore(Generation generation) {
        if (generation.number() >= 2) {
            store.send(List.of(new Operation.DeleteAll(JobKeys.prefixOf(generation.number() - 2))));
        }
    }

    private CompletableFuture<Optional<Identity>> proceed(Claim claim, Generation generation, Results results) {
        if (!results.ran(claim.generation())) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        if (!results.ran(claim.run())) {
            return claim(Generation.read(results.get(claim.generation()).text()));
        }
        String run = results.get(claim.run()).text();
        boolean hasGone = results.get(claim.terminated()).contains(rank);
        if (results.allRan() && !hasGone) {
            return CompletableFuture.completedFuture(Optional.of(new Identity(rank, worldSize, generation, run)));
        }
        if (!results.ran(claim.rank())) {
            throw refusal(
                    run, JobDescription.difference(results.get(claim.job()).text(), worldSize));
        }
        if (mayJoin) {
            return join(generation, run).thenApply(identity -> {
                boolean isSecond = !hasGone
                        && promise.isEmpty()
                        && identity.isPresent()
                        && identity.get().isJoiner();
                if (isSecond) {
                    String text =
                            "another process, which has not ended as far as the store knows, has RANK {}: this one is rank {} of"
                                    + " the job instead. Give each process a RANK of its own, unless it is a spare, or replaces one that is"
                                    + " lost";
                    int given = identity.get().rank();
                    if (followsHost) {
                        LOG.warn(text, rank, given);
                    } else { // under an agent it is a spare
                        LOG.info(text, rank, given);
                    }
                }
                return identity;
            });
        }
        throw refusal(
                run,
                hasGone
                        ? "this rank has left it or was declared dead, and processes that come late may not join; to run"
                                + " with it again, start the whole job anew"
                        : "another process is this rank; was it started twice, or does a second job use the address of"
                                + " the first?");
    }

    private RankFencedException refusal(String run, String difference) {
        StoreAddress address = store.address();
        return new RankFencedException(
                rank,
                "the job %s(run %s) does not admit it: %s"
                        .formatted(address == null ? "" : "at " + address + " ", run, difference));
    }

    private static String randomId() {
        byte[] id = new byte[BYTES_OF_ID];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    private StoreTimeoutException withoutHost() {
        return new StoreTimeoutException(
                "rank 0, which hosts the store, has not joined the job within %.1f s"
                        .formatted(limitForHost.toMillis() / 1e3),
                limitForHost);
    }

    /** Draws the number of a joiner; or founds the next generation if all members of this one have died or left. */
    private CompletableFuture<Optional<Identity>> join(Generation generation, String run) {
        JobKeys keys = new JobKeys(generation);
        Batch batch = store.batch();
        Latest.Reading end = Latest.Reading.in(batch, keys);
        Handle<IndexSet> promised = batch.add(new Operation.Members(keys.promised()));
        Handle<IndexSet> joined = batch.add(new Operation.Members(keys.joined()));
        return batch.submit(store.timeout()).thenCompose(results -> {
            IndexSet terminated = results.get(end.terminated());
            Latest last = end.of(results, worldSize);
            if (last.isOver(terminated)) {
                return succeed(store, generation, last.iteration()).thenCompose(this::claim);
            }
            IndexSet open = results.get(promised).minus(results.get(joined)).minus(terminated);
            CompletableFuture<Integer> number = promise.isPresent() && open.contains(promise.getAsInt())
                    ? CompletableFuture.completedFuture(promise.getAsInt())
                    : drawNumber(store, keys, worldSize);
            return number.thenApply(drawn -> Optional.of(new Identity(drawn, worldSize, generation, run)));
        });
    }

    /** Draws a number that no member of the generation has or has had. */
    static CompletableFuture<Integer> drawNumber(SessionStore store, JobKeys keys, int worldSize) {
        Batch batch = store.batch();
        Handle<Long> count = batch.add(new Operation.Add(keys.ids(), 1));
        return batch.submit(store.timeout()).thenApply(results -> Math.toIntExact(worldSize - 1 + results.get(count)));
    }

    /**
     * Moves the job on to the generation after this one, unless another process was first.
     *
     * @param latest the last iteration of this one; {@link JobKeys#BEFORE_FIRST} if it had none
     * @return the current generation
     */
    static CompletableFuture<Generation> succeed(SessionStore store, Generation generation, int latest) {
        Batch batch = store.batch();
        Handle<Value> current = batch.add(new Operation.CompareAndSet(
                JobKeys.GENERATION,
                Value.of(generation.text()),
                Value.of(generation.next(latest).text())));
        return batch.submit(store.timeout())
                .thenApply(results -> Generation.read(results.get(current).text()));
    }
}
