package dev.resiliency.inprocess.internal.protocol;

import static dev.resiliency.inprocess.internal.protocol.JobKeys.BEFORE_FIRST;
import static java.util.Objects.requireNonNull;

import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.Parts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The leader's side of the protocol, which decides for all who takes part in the next iteration: rule 6. */
public final class Leader {
    private final JobSession session;
    private final FaultRecords records;
    private final boolean groupsByKeys;
    /** The latest decision of this rank that stands. Written by the store's thread, read by the one that leads. */
    private volatile @Nullable Decided decided;

    /** @param groupsByKeys whether each rank has published keys by which the rank assignment groups it */
    Leader(JobSession session, FaultRecords records, boolean groupsByKeys) {
        this.session = session;
        this.records = records;
        this.groupsByKeys = groupsByKeys;
    }

    /**
     * The basis of the leader's decision.
     *
     * @param world the world of the previous iteration, in which the ranks that have died or left since are marked as
     *     lost
     * @param terminated the ranks that have died or left
     */
    public record WorldBefore(World world, IndexSet terminated) {}

    private record Decided(int k, World world) {}

    /**
     * Waits until all have stopped in iteration {@code k - 1}, and reads the world of that iteration, unless this rank
     * decided it.
     */
    public CompletableFuture<WorldBefore> worldBefore(int k, Duration limit) {
        Decided own = decided;
        World known = own != null && own.k() == k - 1 ? own.world() : null;
        boolean isFirst = k - 1 == BEFORE_FIRST;
        Batch batch = session.batch();
        batch.add(session.arrival(k, true));
        Handle<IndexSet> terminated = batch.add(new Operation.Members(JobKeys.TERMINATED));
        Handle<Value> written = isFirst || known != null ? null : batch.add(new Operation.Get(JobKeys.world(k - 1)));
        return batch.submit(limit).thenCompose(results -> {
            IndexSet lost = results.get(terminated);
            CompletableFuture<World> world;
            if (isFirst) {
                world = initialWorld(lost, limit);
            } else {
                world = CompletableFuture.completedFuture(
                        written == null
                                ? requireNonNull(known)
                                : WorldCodec.read(results.get(written).text()));
            }
            return world.thenApply(before -> new WorldBefore(before.lose(lost), lost));
        });
    }

    /**
     * Reads all ranks with their keys, except those that were lost before they arrived and may not have published
     * theirs.
     */
    private CompletableFuture<World> initialWorld(IndexSet lost, Duration limit) {
        if (!groupsByKeys) {
            return CompletableFuture.completedFuture(World.initial(session.worldSize()));
        }
        int[] arrived = session.everybody().minus(lost).stream().toArray();
        Batch batch = session.batch();
        Handle<List<Value>> published = batch.add(new Operation.MultiGet(
                IntStream.of(arrived).mapToObj(JobKeys::groupKeys).toList()));
        return batch.submit(limit).thenApply(results -> {
            List<Value> values = results.get(published);
            List<List<String>> keysByRank = new ArrayList<>(Collections.nCopies(session.worldSize(), List.of()));
            for (int i = 0; i < arrived.length; i++) {
                keysByRank.set(arrived[i], WorldCodec.readAll(values.get(i).text()));
            }
            return World.initial(keysByRank);
        });
    }

    /**
     * Publishes who takes part in iteration {@code k}, unless another leader was first, and deletes the remains of the
     * iterations that no rank is in any longer.
     *
     * <p>Publishes nothing if a rank has died or left since the world before was read: it would be a member of the
     * iteration, and its end would cost all others another restart. A store without atomic batches may let such a
     * decision pass, for which rule 3 compensates.
     *
     * @param before the result of {@link #worldBefore}
     * @param next the result of the rank assignment
     * @return whether iteration {@code k} is decided; if not, read the world before again
     */
    public CompletableFuture<Boolean> decide(int k, WorldBefore before, World next) {
        Batch batch = session.batch();
        batch.add(new Operation.Confirm(JobKeys.TERMINATED, before.terminated()));
        Handle<Value> claim = batch.add(new Operation.Claim(JobKeys.decision(k), Value.of(session.rank())));
        batch.add(new Operation.AddToSet(JobKeys.active(k), next.activeMembers()));
        batch.add(records.ensureExist(k - 1)); // every rank reads them together with the decision
        batch.add(new Operation.MultiSet(Map.of(
                JobKeys.world(k), Value.of(WorldCodec.write(next)),
                JobKeys.state(k), Parts.of(DecisionCodec.writeAll(before.world(), next, session.worldSize())))));
        IndexSet discarded = before.world().healthyMembers().minus(next.members());
        return batch.submit(session.limit()).thenApply(results -> {
            if (results.allRan()) {
                decided = new Decided(k, next);
                afterDecision(k, discarded);
            }
            return results.ran(claim);
        });
    }

    /**
     * Sends the follow-up of a decision in a separate request: a discarded rank must learn why before it finds itself
     * among the terminated, and the deletion would delay the ranks that wait for the decision. A leader may die in
     * between.
     */
    private void afterDecision(int k, IndexSet discarded) {
        Batch batch = session.batch();
        if (!discarded.isEmpty()) {
            batch.add(new Operation.AddToSet(JobKeys.TERMINATED, discarded));
        }
        batch.add(new Operation.DeleteAll(JobKeys.prefix(k - 2)));
        batch.add(new Operation.DeleteAll(JobKeys.prefix(k - 3)));
        batch.send();
    }
}
