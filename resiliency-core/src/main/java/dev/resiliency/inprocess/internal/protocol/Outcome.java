package dev.resiliency.inprocess.internal.protocol;

/** How an iteration ends: written once, by whoever is first, for all ranks. */
public enum Outcome {
    /** A fault came first: all ranks stop and regroup. */
    INTERRUPTED,
    /** All active ranks had returned before any fault. */
    COMPLETED
}
