package dev.resiliency.inprocess.internal;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The ranks that have died or left, in the order in which they did: the order is the same on every rank, so a decision
 * that counted the first n of them is known by n.
 */
final class TerminatedRanks implements Consumer<Change> {
    private final Runnable onGrown;
    /** Guarded by this. */
    private final List<Integer> inOrder = new ArrayList<>();

    TerminatedRanks(Runnable onGrown) {
        this.onGrown = onGrown;
    }

    @Override
    public void accept(Change change) {
        if (change instanceof Change.Joined joined) {
            synchronized (this) {
                joined.members().stream().forEach(inOrder::add);
            }
            onGrown.run();
        }
    }

    synchronized IndexSet all() {
        return setOf(inOrder);
    }

    /** Those that a decision which counted {@code counted} of them did not know of. */
    synchronized IndexSet beyond(int counted) {
        return inOrder.size() <= counted ? IndexSet.empty() : setOf(inOrder.subList(counted, inOrder.size()));
    }

    private static IndexSet setOf(List<Integer> ranks) {
        return IndexSet.of(ranks.stream().mapToInt(Integer::intValue).toArray());
    }
}
