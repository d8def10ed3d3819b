package dev.resiliency.examples.spark;

/**
 * What a run has come to.
 *
 * @param seconds from the submission of the stage to its results
 * @param secondsToTraining from the kill until the first rank has completed a round in another call of the function; 0 without one
 * @param secondsFromKill from the kill to the results; 0 without one
 * @param roundsRepeated how many rounds the first rank has run more than once
 * @param processes how many executors have run the training
 */
record Outcome(
        String stage,
        double seconds,
        double secondsToTraining,
        double secondsFromKill,
        int roundsRepeated,
        int processes) {}
