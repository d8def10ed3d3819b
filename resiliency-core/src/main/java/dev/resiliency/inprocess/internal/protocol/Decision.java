package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.State;

/** The leader's decision for one rank and one iteration. */
public sealed interface Decision {

    /**
     * The rank takes part.
     *
     * @param state its state in the iteration
     * @param terminated the number of dead or departed ranks that the decision knows of, for rule 3
     * @param change how and why the role of the rank changes; empty if it does not
     */
    record Placed(State state, int terminated, String change) implements Decision {}

    /**
     * The rank assignment left the rank out.
     *
     * @param reason the reason given by the rank assignment
     */
    record Discarded(int iteration, String reason) implements Decision {}
}
