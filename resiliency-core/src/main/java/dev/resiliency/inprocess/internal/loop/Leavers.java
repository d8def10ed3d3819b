package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.protocol.SafePoints;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;

/**
 * The ranks that are to leave on purpose, ever: watched by a rank from the moment when it is the first active one and
 * its function uses safe points. All methods but that of the watch belong to the monitor thread.
 */
final class Leavers {
    private final SafePoints safePoints;
    private final Runnable onChange;
    /** Written by the store's thread only. */
    private volatile IndexSet ranks = IndexSet.empty();

    private boolean isWatching;

    Leavers(SafePoints safePoints, Runnable onChange) {
        this.safePoints = safePoints;
        this.onChange = onChange;
    }

    /** Begins to watch, unless this rank does so already. */
    void watch() {
        if (!isWatching) {
            isWatching = true;
            safePoints.watchLeaving(change -> {
                if (change instanceof Change.Joined more) {
                    ranks = ranks.union(more.members());
                    onChange.run();
                }
            });
        }
    }

    /** Returns whether one of these members is to leave. */
    boolean anyAmong(IndexSet members) {
        return members.intersects(ranks);
    }
}
