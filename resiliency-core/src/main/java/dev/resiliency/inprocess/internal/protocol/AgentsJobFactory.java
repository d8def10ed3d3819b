package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;

/** Creates what an agent sees of a job: a service provider, so public with a public constructor. */
public final class AgentsJobFactory implements LaunchedJob.Factory {
    /** Called by the service loader. */
    public AgentsJobFactory() {}

    @Override
    public LaunchedJob of(SessionStore store, String jobId, int worldSize) {
        return new AgentsJob(new PrefixStore(JobPrefix.of(jobId, 0), store), worldSize);
    }
}
