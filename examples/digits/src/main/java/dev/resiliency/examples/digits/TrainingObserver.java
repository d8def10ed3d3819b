package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;

/** Is told how the training of this rank goes, on the thread that trains. */
public interface TrainingObserver {

    /** The function has been called. */
    default void entered(State state) {}

    /** The state after this step is restored; 0 is the beginning. */
    default void restored(int step) {}

    /** A step begins; the first one is 1. What this throws ends the function: a place to inject faults at. */
    default void stepStarts(CallWrapper call, int step) throws Exception {}

    /** The checkpoint of this step is on the disk. */
    default void saved(int step) {}

    /** A step is done whose loss (mean over the batch) and accuracy (on held-out digits) were measured. */
    default void measured(int step, double loss, double accuracy) {}
}
