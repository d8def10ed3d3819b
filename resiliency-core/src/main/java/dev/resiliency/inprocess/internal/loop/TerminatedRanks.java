package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The ranks that have died or left, in that order. The order is the same on every rank, so the number of ranks that a
 * decision counted identifies them.
 */
public final class TerminatedRanks implements Consumer<Change> {
    private final Consumer<? super TerminatedRanks> onGrown;
    /** Guarded by this. */
    private final Set<Integer> inOrder = new LinkedHashSet<>();

    /** Starts with none; {@code onGrown} is called by the store's thread. */
    public TerminatedRanks(Consumer<? super TerminatedRanks> onGrown) {
        this.onGrown = onGrown;
    }

    @Override
    public void accept(Change change) {
        if (change instanceof Change.Joined joined) {
            synchronized (this) {
                joined.members().forEach(inOrder::add);
            }
            onGrown.accept(this);
        }
    }

    synchronized boolean contains(int rank) {
        return inOrder.contains(rank);
    }

    /** Returns whether this rank is the lowest of its job that has neither died nor left. */
    synchronized boolean isLowestAlive(Environment environment) {
        return IndexSet.range(0, environment.worldSize()).minus(without(0)).lowest() == environment.rank();
    }

    /**
     * Returns the ranks unknown to a decision that counted {@code counted} of them. Their number is always right. Their
     * identity is not if one died between a decision that discarded others and their joining: then one of those is
     * named instead.
     */
    public synchronized IndexSet beyond(int counted) {
        return without(counted);
    }

    private IndexSet without(int first) {
        int[] ranks = new int[Math.max(0, inOrder.size() - first)];
        int position = 0;
        for (int rank : inOrder) {
            if (position >= first) {
                ranks[position - first] = rank;
            }
            position++;
        }
        return IndexSet.of(ranks);
    }
}
