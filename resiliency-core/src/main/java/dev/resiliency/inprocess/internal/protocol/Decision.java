package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.State;

/** What the leader has decided for one rank and one iteration. */
public sealed interface Decision {

    /**
     * The rank takes part.
     *
     * @param state as what
     * @param terminated how many ranks had left or died when this was decided: whoever joined them later was counted in
     * @param change how the rank's role has changed and why; empty if it has not
     */
    record Placed(State state, int terminated, String change) implements Decision {}

    /**
     * The rank assignment left the rank out.
     *
     * @param reason what it says about it
     */
    record Discarded(int iteration, String reason) implements Decision {}
}
