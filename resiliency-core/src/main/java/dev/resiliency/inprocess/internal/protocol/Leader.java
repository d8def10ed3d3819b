package dev.resiliency.inprocess.internal.protocol;

import static dev.resiliency.inprocess.internal.protocol.JobKeys.BEFORE_FIRST;

import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Batch.Results;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.Parts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The leader's side of the protocol, which decides for all who takes part in the next iteration: rules 6 and 10. */
public final class Leader {
    /** How many members are asked for their seats: the lowest. */
    private static final int CANDIDATES = 16;

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
     *     lost, followed by those that wait to join
     * @param terminated the ranks that have died or left
     * @param joiners those that wait to join
     * @param promises what agents have promised
     * @param seats where the lowest members would host the store, by rank; empty for one that has none
     */
    public record WorldBefore(
            World world, IndexSet terminated, IndexSet joiners, Promised promises, Map<Integer, String> seats) {

        /** Returns this without those that wait to join, who wait on. */
        public WorldBefore withoutJoiners() {
            List<Placement> members = world.placements().stream()
                    .filter(each -> !joiners.contains(each.initialRank()))
                    .toList();
            return new WorldBefore(new World(members), terminated, IndexSet.empty(), promises, seats);
        }
    }

    /**
     * The promises of agents to start a process again.
     *
     * @param wereMade whether any agent of this job makes promises
     * @param open those whose process has not come yet
     */
    public record Promised(boolean wereMade, IndexSet open) {}

    private record Decided(int k, World world) {}

    /** Where the results of a reading of the world are. */
    private record Reading(
            Handle<IndexSet> terminated,
            Handle<IndexSet> joined,
            Handle<IndexSet> promised,
            Handle<IndexSet> broken,
            @Nullable Handle<Value> world) {}

    /** Notifies the listener of all who announce themselves in order to join, until the session ends. */
    public void watchJoiners(Consumer<? super Change> listener) {
        session.send(new Operation.Watch(session.keys().joined(), listener));
    }

    /** Notifies the listener of the promises that agents break, until the session ends. */
    public void watchBrokenPromises(Consumer<? super Change> listener) {
        session.send(new Operation.Watch(session.keys().broken(), listener));
    }

    /**
     * Waits until all have stopped in the iteration before {@code k}, and reads the world of that iteration, unless this
     * rank decided it.
     */
    public CompletableFuture<WorldBefore> worldBefore(int k, Duration limit) {
        return worldBefore(k, IndexSet.empty(), limit);
    }

    /**
     * As {@link #worldBefore(int, Duration)}.
     *
     * @param members those of the iteration before, of which the lowest living ones may host the store next
     */
    public CompletableFuture<WorldBefore> worldBefore(int k, IndexSet members, Duration limit) {
        Batch batch = session.batch();
        batch.add(session.arrival(k, true));
        Map<Integer, Handle<Value>> seats = new LinkedHashMap<>();
        if (session.host() != null) {
            members.stream()
                    .limit(CANDIDATES)
                    .forEach(rank -> seats.put(
                            rank, batch.add(JobSession.peek(session.keys().seat(rank)))));
        }
        return read(batch, session.before(k), seats, limit);
    }

    /** Reads the world that would be the basis of the next decision if all stopped now, in iteration {@code k}. */
    public CompletableFuture<WorldBefore> worldNow(int k) {
        return read(session.batch(), k, Map.of(), session.limit());
    }

    private CompletableFuture<WorldBefore> read(Batch batch, int k, Map<Integer, Handle<Value>> seats, Duration limit) {
        JobKeys keys = session.keys();
        Decided own = decided;
        World known = own != null && own.k() == k ? own.world() : null;
        Reading reading = new Reading(
                batch.add(new Operation.Members(keys.terminated())),
                batch.add(new Operation.Members(keys.joined())),
                batch.add(new Operation.Members(keys.promised())),
                batch.add(new Operation.Members(keys.broken())),
                k == BEFORE_FIRST || known != null ? null : batch.add(new Operation.Get(keys.world(k))));
        return batch.submit(limit).thenCompose(results -> {
            CompletableFuture<World> world;
            if (reading.world() != null) {
                world = CompletableFuture.completedFuture(
                        WorldCodec.read(results.get(reading.world()).text()));
            } else if (known != null) {
                world = CompletableFuture.completedFuture(known);
            } else {
                world = initialWorld(results.get(reading.terminated()), limit);
            }
            Map<Integer, String> texts = new LinkedHashMap<>();
            seats.forEach((rank, seat) -> texts.put(rank, results.get(seat).text()));
            return world.thenCompose(before -> withJoiners(before, reading, results, texts));
        });
    }

    /**
     * Reads all founders with their keys, except those that were lost before they arrived and may not have published
     * theirs.
     */
    private CompletableFuture<World> initialWorld(IndexSet lost, Duration limit) {
        int worldSize = session.identity().worldSize();
        IndexSet arrived = session.founders().minus(lost);
        return keysOf(arrived, limit).thenApply(published -> {
            List<List<String>> keysByRank = new ArrayList<>(Collections.nCopies(worldSize, List.of()));
            published.forEach(keysByRank::set);
            return World.initial(keysByRank);
        });
    }

    private CompletableFuture<WorldBefore> withJoiners(
            World members, Reading reading, Results results, Map<Integer, String> seats) {
        IndexSet terminated = results.get(reading.terminated());
        IndexSet joined = results.get(reading.joined());
        IndexSet joiners = joined.minus(terminated).minus(members.members());
        IndexSet promised = results.get(reading.promised());
        Promised promises =
                new Promised(!promised.isEmpty(), promised.minus(joined).minus(results.get(reading.broken())));
        return keysOf(joiners, session.limit()).thenApply(published -> {
            World before = members.lose(terminated).join(published);
            return new WorldBefore(before, terminated, joiners, promises, seats);
        });
    }

    /** Reads the keys of these ranks, by which the rank assignment groups them, in their order. */
    private CompletableFuture<Map<Integer, List<String>>> keysOf(IndexSet ranks, Duration limit) {
        Map<Integer, List<String>> keysByRank = new LinkedHashMap<>();
        ranks.forEach(rank -> keysByRank.put(rank, List.of()));
        if (!groupsByKeys || ranks.isEmpty()) {
            return CompletableFuture.completedFuture(keysByRank);
        }
        int[] read = ranks.stream().toArray();
        Batch batch = session.batch();
        Handle<List<Value>> published = batch.add(new Operation.MultiGet(
                IntStream.of(read).mapToObj(session.keys()::groupKeys).toList()));
        return batch.submit(limit).thenApply(results -> {
            List<Value> values = results.get(published);
            for (int i = 0; i < read.length; i++) {
                keysByRank.put(read[i], WorldCodec.readAll(values.get(i).text()));
            }
            return keysByRank;
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
        return publish(k, before, next, DecisionCodec.writeAll(before.world(), next, before.joiners()))
                .thenApply(isDecided -> {
                    Decided own = decided;
                    if (own != null && own.k() == k) {
                        IndexSet left = before.world().healthyMembers().minus(before.joiners());
                        afterDecision(k, left.minus(next.members()));
                    }
                    return isDecided;
                });
    }

    /** Publishes that the job ends for all, members and joiners, since too few ranks are left; as {@link #decide}. */
    public CompletableFuture<Boolean> disband(int k, WorldBefore before, Shortage shortage) {
        return publish(k, before, new World(List.of()), DecisionCodec.writeTooFewRanks(before.world(), shortage));
    }

    private CompletableFuture<Boolean> publish(int k, WorldBefore before, World next, List<Value> texts) {
        JobKeys keys = session.keys();
        Batch batch = session.batch();
        batch.add(new Operation.Confirm(keys.terminated(), before.terminated()));
        Handle<Value> claim = batch.add(new Operation.Claim(keys.decision(k), Value.of(session.rank())));
        batch.add(new Operation.AddToSet(keys.active(k), next.activeMembers()));
        batch.add(new Operation.AddToSet(keys.members(k), next.members()));
        batch.add(records.ensureExist(session.before(k))); // every rank reads them together with the decision
        Map<String, Value> values = new LinkedHashMap<>();
        values.put(keys.latest(), Latest.write(k, next.members()));
        values.put(keys.world(k), Value.of(WorldCodec.write(next)));
        values.put(keys.state(k), Parts.of(texts));
        StoreSeat host = session.host();
        if (host != null) {
            IndexSet living =
                    before.world().healthyMembers().intersection(next.members()).minus(IndexSet.of(host.rank()));
            Value successors = Value.of(StoreSeat.writeAll(StoreSeat.successors(before.seats(), living, host.host())));
            values.put(keys.successors(k), successors);
            values.put(keys.latestSuccessors(), successors);
        }
        for (Placement placement : before.world().placements()) {
            boolean isTold = before.joiners().contains(placement.initialRank())
                    && texts.get(placement.rank()).size() > 0;
            if (isTold) {
                values.put(
                        keys.admitted(placement.initialRank()), Joiner.write(new Joiner.Admitted(k, placement.rank())));
            }
        }
        batch.add(new Operation.MultiSet(values));
        return batch.submit(session.limit()).thenApply(results -> {
            if (results.allRan()) {
                decided = new Decided(k, next);
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
        JobKeys keys = session.keys();
        Batch batch = session.batch();
        if (!discarded.isEmpty()) {
            batch.add(new Operation.AddToSet(keys.terminated(), discarded));
        }
        batch.add(new Operation.DeleteAll(keys.prefix(k - 2)));
        batch.add(new Operation.DeleteAll(keys.prefix(k - 3)));
        Generation generation = session.identity().generation();
        if (generation.number() > 0 && k == generation.firstIteration()) {
            batch.add(new Operation.DeleteAll(JobKeys.prefixOf(generation.number() - 1)));
        }
        batch.send();
    }

    /**
     * Announces that this rank, as the leader, waits for joiners before it decides iteration {@code k}, so that those who
     * wait for the decision wait that much longer; needs no answer.
     *
     * @param atMost how long it waits
     * @param reason for logs
     */
    public void announceWait(int k, Duration atMost, String reason) {
        session.send(new Operation.Set(session.keys().waiting(k), LeaderWait.write(atMost, reason)));
    }
}
