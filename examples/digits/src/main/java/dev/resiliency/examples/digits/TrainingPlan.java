package dev.resiliency.examples.digits;

/**
 * What all ranks of a training must agree on.
 *
 * @param steps how many batches to train on
 * @param batchSize how many digits a batch has, over all ranks
 * @param hiddenUnits the width of the network
 * @param learningRate how far a step goes
 * @param momentum how much of the last step's movement is kept
 * @param checkpointInterval save the state each time after so many steps
 * @param reportInterval measure the accuracy each time after so many steps
 * @param seed of the first weights and of all batches
 */
public record TrainingPlan(
        int steps,
        int batchSize,
        int hiddenUnits,
        float learningRate,
        float momentum,
        int checkpointInterval,
        int reportInterval,
        long seed) {

    /** The plan of the demo: 95 % are right after some 500 steps, 97 % after 2,000. */
    public static TrainingPlan ofSteps(int steps) {
        return new TrainingPlan(steps, 512, 128, 0.01f, 0.9f, 100, 20, 42);
    }

    /** Whether a checkpoint is due after this step. */
    public boolean savesAfter(int step) {
        return step % checkpointInterval == 0 || step == steps;
    }

    /** Whether loss and accuracy are due after this step. */
    public boolean measuresAfter(int step) {
        return step % reportInterval == 0 || step == steps;
    }
}
