package dev.resiliency.examples.fault;

import dev.resiliency.testing.Fault.Moment;
import dev.resiliency.testing.FaultKind.Effect;

/** A fault that a job is expected to survive. Its text is {@code KIND:RANK@STEP}, as users write it. */
public interface PlannedFault {

    /** Returns the initial rank that it hits. */
    int rank();

    /** Returns when it happens. */
    Moment moment();

    /** Returns its effect. */
    Effect effect();

    /** Returns whether the rank is lost. */
    default boolean costsTheRank() {
        return effect() != Effect.RESTART;
    }
}
