package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import java.util.function.Consumer;

/** The ranks that have died or left, joiners that were never admitted included. */
public final class TerminatedRanks implements Consumer<Change> {
    private final Consumer<? super TerminatedRanks> onGrown;
    /** Written by the store's thread only. */
    private volatile IndexSet ranks = IndexSet.empty();

    /** Starts with none; {@code onGrown} is called by the store's thread. */
    public TerminatedRanks(Consumer<? super TerminatedRanks> onGrown) {
        this.onGrown = onGrown;
    }

    /** Returns those of whom this rank learns from the store of this host, itself included: then it leaves. */
    static TerminatedRanks of(int rank, Departure departure, StoreHost host, Waker waker) {
        return new TerminatedRanks(gone -> {
            if (gone.contains(rank)) {
                departure.raise(host, new RankFencedException(rank));
            }
            waker.wake();
        });
    }

    @Override
    public void accept(Change change) {
        if (change instanceof Change.Joined joined) {
            ranks = ranks.union(joined.members());
            onGrown.accept(this);
        }
    }

    /** Returns all of them. */
    IndexSet all() {
        return ranks;
    }

    boolean contains(int rank) {
        return ranks.contains(rank);
    }

    /** Returns those of these members that have died or left. */
    public IndexSet among(IndexSet members) {
        IndexSet known = ranks;
        return members.intersects(known) ? members.intersection(known) : IndexSet.empty();
    }

    /** Returns whether this rank is the lowest of these members that has neither died nor left. */
    boolean isLowestAlive(int rank, IndexSet members) {
        return members.minus(ranks).lowest() == rank;
    }
}
