package dev.resiliency.state.internal;

import dev.resiliency.inprocess.State;
import dev.resiliency.store.Store;
import dev.resiliency.store.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * What the ranks say to each other about copies, through the store of the iteration. Each copy is known by its step. The
 * first word about its outcome stands, so that all ranks keep the same copies.
 *
 * <pre>
 * live-state/copies/S/rank/R   rank R: {@code ready}, its part can be fetched; or {@code skipped}
 * live-state/copies/S/count    how many ranks have fetched what they keep for others
 * live-state/copies/S/outcome  {@code complete} or {@code given up}
 * </pre>
 */
final class CopyExchange {
    private static final String PREFIX = "live-state/copies/";
    private static final Value READY = Value.of("ready");
    private static final Value SKIPPED = Value.of("skipped");
    private static final Value COMPLETE = Value.of("complete");
    private static final Value GIVEN_UP = Value.of("given up");

    private final Store store;
    private final int rank;
    private final int worldSize;
    /** The steps of which this rank has spoken, and whose keys may be left. Confined to the thread that copies. */
    private final List<Long> spoken = new ArrayList<>();

    CopyExchange(Store store, State state) {
        this.store = store;
        this.rank = state.activeRank();
        this.worldSize = state.activeWorldSize();
    }

    void sayReady(long step) throws InterruptedException {
        spoken.add(step);
        store.set(wordOf(step, rank), READY);
    }

    /** Gives it up, too: those that would fetch this rank's part may have skipped it, as well. */
    void saySkipped(long step) throws InterruptedException {
        spoken.add(step);
        store.set(wordOf(step, rank), SKIPPED);
        giveUp(step);
    }

    /** Waits for the word of another rank; returns whether its part can be fetched. */
    boolean awaitReady(long step, int other) throws InterruptedException {
        return store.get(wordOf(step, other), Store.FOREVER).equals(READY);
    }

    void giveUp(long step) throws InterruptedException {
        store.compareAndSet(outcome(step), Value.empty(), GIVEN_UP);
    }

    /** Returns whether another rank has given it up. */
    boolean isGivenUp(long step) throws InterruptedException {
        return store.check(List.of(outcome(step)));
    }

    /** This rank has all that it keeps. The last one says that the copy is complete. */
    void sayFetched(long step) throws InterruptedException {
        if (store.add(PREFIX + step + "/count", 1) == worldSize) {
            store.compareAndSet(outcome(step), Value.empty(), COMPLETE);
        }
    }

    /** Waits for the outcome; returns whether the copy is complete. */
    boolean awaitComplete(long step) throws InterruptedException {
        return store.get(outcome(step), Store.FOREVER).equals(COMPLETE);
    }

    /** Deletes the keys of copies before a complete one: whoever has taken part in that waits for none of them. */
    void forgetBefore(long step) throws InterruptedException {
        for (long old : spoken) {
            if (old < step) {
                store.delete(wordOf(old, rank));
                if (rank == 0) {
                    store.delete(PREFIX + old + "/count");
                    store.delete(outcome(old));
                }
            }
        }
        spoken.removeIf(old -> old < step);
    }

    private static String wordOf(long step, int rank) {
        return PREFIX + step + "/rank/" + rank;
    }

    private static String outcome(long step) {
        return PREFIX + step + "/outcome";
    }
}
