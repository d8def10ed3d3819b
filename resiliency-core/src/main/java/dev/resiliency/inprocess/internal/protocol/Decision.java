package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.State;

/** What the leader has decided for one rank and one iteration. */
public sealed interface Decision {

    /**
     * The rank takes part.
     *
     * @param state its state in the iteration
     * @param terminated how many ranks the decision counts as died or left: rule 3 compares the set with it
     * @param change how the role of the rank changes and why; empty if it does not
     */
    record Placed(State state, int terminated, String change) implements Decision {}

    /**
     * The rank assignment left the rank out.
     *
     * @param reason why, in the words of the rank assignment
     */
    record Discarded(int iteration, String reason) implements Decision {}
}
