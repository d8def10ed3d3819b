package dev.resiliency.examples.digits;

/**
 * Settings on which all ranks of a training must agree.
 *
 * @param steps number of batches to train on
 * @param batchSize number of digits of a batch, over all ranks
 * @param hiddenUnits the width of the network
 * @param learningRate factor of each step
 * @param momentum fraction of the previous step's movement that is kept
 * @param checkpointInterval steps from one checkpoint to the next
 * @param reportInterval steps from one measurement of the accuracy to the next
 * @param seed of the initial weights and of all batches
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

    /** Returns the plan of the demo, which reaches 95 % accuracy after some 500 steps and 97 % after 2,000. */
    public static TrainingPlan ofSteps(int steps) {
        return new TrainingPlan(steps, 512, 128, 0.01f, 0.9f, 100, 20, 42);
    }

    /**
     * Moves the parameters by one step of gradient descent with momentum; the gradient is summed up over a batch. The velocity is part
     * of the state, beside the parameters.
     */
    public void move(float[] parameters, float[] velocity, float[] gradient) {
        float scale = learningRate / batchSize;
        for (int i = 0; i < parameters.length; i++) {
            velocity[i] = momentum * velocity[i] - scale * gradient[i];
            parameters[i] += velocity[i];
        }
    }

    /** Returns whether a checkpoint is due after this step. */
    public boolean savesAfter(int step) {
        return step % checkpointInterval == 0 || step == steps;
    }

    /** Returns whether loss and accuracy are due after this step. */
    public boolean measuresAfter(int step) {
        return step % reportInterval == 0 || step == steps;
    }
}
