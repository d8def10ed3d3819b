package dev.resiliency.inprocess.internal.coordination;

import dev.resiliency.inprocess.State;

/** What the leader has decided for one rank and one iteration. */
public sealed interface Decision {

    /**
     * The rank takes part.
     *
     * @param state as what
     * @param terminated how many ranks had left or died when this was decided: whoever joined them later was counted in
     */
    record Placed(State state, int terminated) implements Decision {}

    /** The rank assignment left the rank out. */
    record Discarded(int iteration) implements Decision {}
}
