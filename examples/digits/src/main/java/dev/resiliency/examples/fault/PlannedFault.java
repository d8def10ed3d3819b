package dev.resiliency.examples.fault;

import dev.resiliency.inprocess.fault.Fault.Moment;
import dev.resiliency.inprocess.fault.FaultKind.Effect;

/** A fault that a job is to survive. Its text is what a user writes, {@code KIND:RANK@STEP}. */
public interface PlannedFault {

    /** The initial rank that it happens to. */
    int rank();

    /** When. */
    Moment moment();

    /** What it leads to. */
    Effect effect();

    /** Whether the rank is not restarted after it. */
    default boolean costsTheRank() {
        return effect() != Effect.RESTART;
    }
}
