package dev.resiliency.examples.bench.chaos;

import dev.resiliency.inprocess.Elasticity;
import java.time.Duration;

/**
 * Settings of one job.
 *
 * @param number number of the job in the run, from 1
 * @param ranks number of ranks that are started
 * @param active number of ranks that train at the same time; the others are reserves
 * @param hosted whether rank 0 hosts the store; otherwise a separate server does
 * @param patient whether a rank whose neighbour is gone waits for the restart, as NCCL does, rather than throw
 * @param lastCallWait the wrapper's setting
 * @param batches after how many batches the job is ended at the latest
 * @param elasticity the wrapper's setting: whether the job takes in those who come late or again, and how
 */
record JobSettings(
        int number,
        int ranks,
        int active,
        boolean hosted,
        boolean patient,
        Duration lastCallWait,
        int batches,
        Elasticity elasticity) {

    /** Returns whether a rank whose process has ended is started again; otherwise the world only shrinks. */
    boolean replaces() {
        return elasticity.admission().kind() != Elasticity.Admission.Kind.NEVER;
    }

    /** Returns how many ranks each batch leaves. */
    int spared() {
        return replaces() ? 1 : 2;
    }

    /** Returns the least number of ranks for another batch. */
    int enough() {
        return replaces() ? 1 : Math.max(3, ranks / 2 - 1);
    }

    /** Returns the name of the job in its store. */
    String jobId() {
        return "chaos-" + number;
    }

    /** Returns the scope of the job's store: that of the first call of a wrapper, where rank 0 hosts it. */
    String scope() {
        return hosted ? "call-0" : "";
    }

    /** Returns whether a rank reaches the store through a network. */
    boolean isRemote(int rank) {
        return !hosted || rank != 0;
    }

    @Override
    public String toString() {
        return "job %d: %d ranks, %d of them active; %s; a rank without its neighbour %s; last call %d ms; %s"
                .formatted(
                        number,
                        ranks,
                        active,
                        hosted ? "rank 0 hosts the store" : "the store is a separate process",
                        patient ? "waits" : "throws",
                        lastCallWait.toMillis(),
                        replaces()
                                ? "lost ranks are replaced: join wait %d ms, replacement wait %d ms"
                                        .formatted(
                                                elasticity.joinWait().toMillis(),
                                                elasticity.replacementWait().toMillis())
                                : "lost ranks are not replaced");
    }
}
