package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.State;
import dev.resiliency.store.IndexSet;

/** The leader's decision for one rank and one iteration. */
public sealed interface Decision {

    /**
     * The rank takes part.
     *
     * @param state its state in the iteration
     * @param removed the members of the iteration before that are no members of this one
     * @param added the members that were none in the iteration before: they have joined
     * @param change how and why the role of the rank changes; empty if it does not
     */
    record Placed(State state, IndexSet removed, IndexSet added, String change) implements Decision {}

    /**
     * The rank assignment left the rank out.
     *
     * @param reason the reason given by the rank assignment
     */
    record Discarded(int iteration, String reason) implements Decision {}

    /** The job ends for all ranks, since too few are left. */
    record TooFewRanks(Shortage shortage) implements Decision {}
}
