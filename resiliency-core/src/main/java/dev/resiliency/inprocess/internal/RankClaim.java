package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.settings.Settings;
import java.util.concurrent.ExecutionException;

/** Claims the rank of this process before it does anything else in its job, and waits for the answer. */
final class RankClaim {
    private RankClaim() {}

    /**
     * Returns the id of the run that this rank now belongs to.
     *
     * @throws dev.resiliency.inprocess.RankFencedException if the job does not admit this rank, which must then write
     *     nothing
     */
    static String await(RestartStore job, Settings settings) throws InterruptedException {
        Environment environment = settings.environment();
        try {
            return job.admission()
                    .claim(
                            environment.masterAddress(),
                            environment.masterPort(),
                            settings.timings().barrierTimeout())
                    .get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                throw refusal;
            }
            throw new ResiliencyException("this rank could not join its job: " + e.getCause(), e.getCause());
        }
    }
}
