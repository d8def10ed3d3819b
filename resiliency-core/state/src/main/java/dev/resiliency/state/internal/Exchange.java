package dev.resiliency.state.internal;

import dev.resiliency.inprocess.State;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.guard.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the ranks say to each other through the store of the iteration. Rank 0 alone reads something of every rank. The
 * waits have no limit of their own: a rank that does not come is lost or hangs, which brings a restart, and that
 * interrupts them.
 *
 * <pre>
 * live-state/holding/R         rank R: its Holding
 * live-state/decision          rank 0: the RecoveryDecision
 * live-state/last              rank 0, as well: the initial ranks for whom all had to wait
 * live-state/sources/R         rank 0, together with the decision: the Sources of rank R, if it needs the state
 * live-state/shard-sources/R   rank 0, as well: those of its shard, if it needs that
 * live-state/guests/R          rank 0, as well: the Guests of rank R, unless nothing is copied
 * live-state/layout            rank 0, before a decision MISMATCH: its layout
 * live-state/mismatch          the first rank with another layout: what differs
 * live-state/memory/R          rank R: the digest of what it holds now, or why it could not receive the state
 * live-state/memory            rank 0: the verdict about them; empty if all are alike
 * live-state/checkpoint/R, live-state/checkpoint      as for memory, about what was read from the checkpoint
 * live-state/given-up          a barrier before a state is given up
 * </pre>
 */
final class Exchange {
    /** After each such time rank 0 looks who is late. */
    static final Duration LOOK = Duration.ofSeconds(1);

    private static final String PREFIX = "live-state/";
    private static final String DECISION = PREFIX + "decision";
    private static final String LAST = PREFIX + "last";
    private static final String LAYOUT = PREFIX + "layout";
    private static final String MISMATCH = PREFIX + "mismatch";

    private final Store store;
    private final int rank;
    private final int worldSize;

    Exchange(Store store, State state) {
        this.store = store;
        this.rank = state.activeRank();
        this.worldSize = state.activeWorldSize();
    }

    /** Returns whether this rank decides. */
    boolean isLeader() {
        return rank == 0;
    }

    void publishHolding(Holding own) throws InterruptedException {
        store.set(PREFIX + "holding/" + rank, own.encode());
    }

    /**
     * The holdings of all ranks.
     *
     * @param last the active ranks that were the last to publish theirs: rank 0, if all others had before it looked; empty if the last
     *     came within a second after it
     */
    record Holdings(List<Holding> all, IndexSet last) {}

    /** Returns the holdings of all ranks, once all have published theirs. */
    Holdings holdings() throws InterruptedException {
        List<String> keys = keys("holding");
        IndexSet last = store.check(keys) ? IndexSet.of(rank) : awaitLast(keys);
        return new Holdings(texts(keys).stream().map(Holding::decode).toList(), last);
    }

    /** Waits until all these keys exist; returns whose came last, empty if they came within the first look. */
    private IndexSet awaitLast(List<String> keys) throws InterruptedException {
        IndexSet missing = IndexSet.range(0, worldSize);
        IndexSet last = IndexSet.empty();
        while (!exist(keys)) {
            missing = missing(keys, missing);
            last = missing.isEmpty() ? last : missing;
        }
        return last;
    }

    /** Waits for a while; returns whether all these keys exist. */
    private boolean exist(List<String> keys) throws InterruptedException {
        try {
            store.await(keys, LOOK);
            return true;
        } catch (StoreTimeoutException late) {
            return false;
        }
    }

    private IndexSet missing(List<String> keys, IndexSet among) throws InterruptedException {
        List<Integer> missing = new ArrayList<>();
        for (int each : among.stream().toArray()) {
            if (!store.check(List.of(keys.get(each)))) {
                missing.add(each);
            }
        }
        return IndexSet.of(missing.stream().mapToInt(each -> each).toArray());
    }

    private List<String> keys(String name) {
        return IntStream.range(0, worldSize)
                .mapToObj(each -> PREFIX + name + "/" + each)
                .toList();
    }

    /** Returns the texts of keys that exist. */
    private List<String> texts(List<String> keys) throws InterruptedException {
        return store.multiGet(keys).stream().map(Value::text).toList();
    }

    /**
     * Publishes the decision together with what follows from it.
     *
     * @param guests those of each rank; empty if nothing is copied
     * @param last the initial ranks for whom all had to wait
     */
    void publishDecision(
            RecoveryDecision decision,
            Map<Integer, Sources> sources,
            Map<Integer, Sources> shardSources,
            List<List<Guest>> guests,
            IndexSet last)
            throws InterruptedException {
        Map<String, Value> values = new HashMap<>();
        sources.forEach((receiver, its) -> values.put(PREFIX + "sources/" + receiver, Value.of(its.encode())));
        shardSources.forEach(
                (receiver, its) -> values.put(PREFIX + "shard-sources/" + receiver, Value.of(its.encode())));
        for (int buddy = 0; buddy < guests.size(); buddy++) {
            values.put(PREFIX + "guests/" + buddy, Value.of(Guest.encode(guests.get(buddy))));
        }
        values.put(LAST, Value.of(last.stream().mapToObj(Integer::toString).collect(Collectors.joining(" "))));
        values.put(DECISION, Value.of(decision.encode()));
        store.multiSet(values);
    }

    RecoveryDecision decision() throws InterruptedException {
        return RecoveryDecision.decode(get(DECISION));
    }

    /** Returns the initial ranks for whom all had to wait, once the decision is known. */
    IndexSet last() throws InterruptedException {
        String last = get(LAST);
        return last.isEmpty()
                ? IndexSet.empty()
                : IndexSet.of(Arrays.stream(last.split(" "))
                        .mapToInt(Integer::parseInt)
                        .toArray());
    }

    Sources sources() throws InterruptedException {
        return Sources.decode(get(PREFIX + "sources/" + rank));
    }

    Sources shardSources() throws InterruptedException {
        return Sources.decode(get(PREFIX + "shard-sources/" + rank));
    }

    /** Returns those whose shards this rank copies, once the decision is known; null if no rank copies any. */
    @Nullable
    List<Guest> guests() throws InterruptedException {
        String key = PREFIX + "guests/" + rank;
        return store.check(List.of(key)) ? Guest.decode(get(key)) : null;
    }

    void publishLayout(Layout layout) throws InterruptedException {
        store.set(LAYOUT, layout.encode());
    }

    Layout layoutOfLeader() throws InterruptedException {
        return Layout.decode(get(LAYOUT));
    }

    /** Publishes how the layout of a rank differs, unless another rank has done so. */
    void publishMismatch(String difference) throws InterruptedException {
        store.compareAndSet(MISMATCH, Value.empty(), Value.of(difference));
    }

    String mismatch() throws InterruptedException {
        return Printable.of(get(MISMATCH));
    }

    void publishClaim(String about, String claim) throws InterruptedException {
        store.set(PREFIX + about + "/" + rank, claim);
    }

    List<String> claims(String about) throws InterruptedException {
        List<String> keys = keys(about);
        store.await(keys, Store.FOREVER);
        return texts(keys);
    }

    void publishVerdict(String about, String verdict) throws InterruptedException {
        store.set(PREFIX + about, verdict);
    }

    String verdict(String about) throws InterruptedException {
        return Printable.of(get(PREFIX + about));
    }

    /** Waits until all ranks know that the state is given up, and so are alive after that was decided. */
    void awaitGivenUp() throws InterruptedException {
        store.barrier(PREFIX + "given-up", IndexSet.range(0, worldSize), IndexSet.of(rank), Store.FOREVER);
    }

    private String get(String key) throws InterruptedException {
        return store.get(key, Store.FOREVER).text();
    }
}
