package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.protocol.Leader;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The processes that have announced themselves in order to join, ever: watched by a rank from the moment when it is the
 * leader. All methods but those of the watch belong to the monitor thread.
 */
final class Newcomers {
    private final Leader leader;
    private final Runnable onChange;
    /** Written by the store's thread only. */
    private volatile IndexSet joined = IndexSet.empty();
    /** Counts what the store has reported. */
    private final AtomicInteger changes = new AtomicInteger();

    private boolean isWatching;
    private boolean isWatchingPromises;

    Newcomers(Leader leader, Runnable onChange) {
        this.leader = leader;
        this.onChange = onChange;
    }

    /** Begins to watch, unless this rank does so already. What is there already is reported as the first change. */
    void watch() {
        if (!isWatching) {
            isWatching = true;
            leader.watchJoiners(change -> {
                if (change instanceof Change.Joined more) {
                    joined = joined.union(more.members());
                }
                changed();
            });
        }
    }

    /** Begins to watch for promises that are broken, too. */
    void watchPromises() {
        if (!isWatchingPromises) {
            isWatchingPromises = true;
            leader.watchBrokenPromises(change -> changed());
        }
    }

    private void changed() {
        changes.incrementAndGet();
        onChange.run();
    }

    /** Returns a number that changes whenever there is something new. */
    int version() {
        return changes.get();
    }

    /** Returns whether someone waits who is neither one of the members nor terminated. */
    boolean anyBeyond(IndexSet members, IndexSet terminated) {
        return !joined.minus(members).minus(terminated).isEmpty();
    }
}
