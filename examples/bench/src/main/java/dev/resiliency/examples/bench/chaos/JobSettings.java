package dev.resiliency.examples.bench.chaos;

import java.time.Duration;

/**
 * How one job is set up.
 *
 * @param number which job of the run, from 1
 * @param ranks how many ranks are started
 * @param active how many of them train at the same time; the others are spares
 * @param hosted whether rank 0 hosts the store; otherwise a server does that runs for itself
 * @param patient whether a rank whose neighbour is gone waits for the restart, as NCCL does, rather than throw
 * @param lastCallWait the wrapper's setting
 * @param volleys after how many the job is ended at the latest
 */
record JobSettings(
        int number, int ranks, int active, boolean hosted, boolean patient, Duration lastCallWait, int volleys) {

    /** How many ranks there must be so that another volley is fired. */
    int enough() {
        return Math.max(3, ranks / 2 - 1);
    }

    @Override
    public String toString() {
        return "job %d: %d ranks, %d of them active; %s; a rank without its neighbour %s; last call %d ms"
                .formatted(
                        number,
                        ranks,
                        active,
                        hosted ? "rank 0 hosts the store" : "the store runs for itself",
                        patient ? "waits" : "throws",
                        lastCallWait.toMillis());
    }
}
