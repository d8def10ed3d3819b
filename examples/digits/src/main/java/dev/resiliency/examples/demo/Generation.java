package dev.resiliency.examples.demo;

/**
 * A generation of the job after the first: all processes were lost, and others went on from the checkpoint.
 *
 * @param number of the generation, from 1 on
 * @param firstIteration the iteration with which it began
 * @param msFromLoss from the loss of the last process until all ranks trained again, or stood by as reserves
 */
record Generation(int number, int firstIteration, double msFromLoss) {

    /** Returns a line for people. */
    String text() {
        return "generation %d began in iteration %d: all ranks are back %.1f ms after the loss of the last one"
                .formatted(number, firstIteration, msFromLoss);
    }
}
