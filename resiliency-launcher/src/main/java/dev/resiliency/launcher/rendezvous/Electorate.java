package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import org.jspecify.annotations.Nullable;

/**
 * Who votes on where the job lives, as one agent knows it.
 *
 * @param world the latest that was decided; null before the first
 * @param isAgreed whether at least half of those before have accepted it
 */
record Electorate(@Nullable AgentWorld world, boolean isAgreed) {
    static final Electorate NONE = new Electorate(null, true);

    /** Returns whether it is to be decided anew, as others are there; the first is, when the first cycle begins. */
    boolean isOutdated(IndexSet living) {
        return world != null && isAgreed && !world.members().equals(living);
    }
}
