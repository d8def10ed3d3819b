package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.inprocess.WorldEvent.Changed;
import dev.resiliency.store.IndexSet;
import org.jspecify.annotations.Nullable;

/** Derives from two iterations of a rank how the world has changed between them. */
final class WorldEvents {
    private WorldEvents() {}

    /**
     * Returns the change with a restart; null if neither the members nor the number of active ranks has changed.
     *
     * @param left the members of the iteration before that are no members any more
     * @param came those that were none
     */
    static @Nullable Changed between(State before, State after, IndexSet left, IndexSet came) {
        int sizeBefore = before.activeWorldSize();
        int size = after.activeWorldSize();
        if (size > sizeBefore) {
            return new WorldEvent.ScaledUp(after.iteration(), sizeBefore, size, left, came);
        }
        if (size < sizeBefore) {
            return new WorldEvent.ScaledDown(after.iteration(), sizeBefore, size, left, came);
        }
        return left.isEmpty() && came.isEmpty() ? null : new WorldEvent.Replaced(after.iteration(), size, left, came);
    }
}
