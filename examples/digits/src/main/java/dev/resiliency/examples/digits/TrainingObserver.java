package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.RecoveryReport;

/** Receives the progress of this rank's training, on the thread that trains. */
public interface TrainingObserver {

    /** Called when the function is entered. */
    default void entered(State state) {}

    /** Called when this rank has its state: that after a step, or the initial one. */
    default void recovered(RecoveryReport report) {}

    /** Called at the beginning of a step, from 1 on. Exceptions propagate out of the function: a place to inject faults. */
    default void stepStarts(CallWrapper call, int step) throws Exception {}

    /** Called when the state after this step is in memory, still in the atomic section. */
    default void completed(int step) {}

    /** Called when the checkpoint of this step is on disk. */
    default void saved(int step) {}

    /** Called after a step with its loss (mean over the batch) and accuracy (on held-out digits). */
    default void measured(int step, double loss, double accuracy) {}
}
