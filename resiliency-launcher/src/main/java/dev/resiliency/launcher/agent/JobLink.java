package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The agent's view of the job whose processes it starts, in a session of its own: its last will breaks the promises, while that of
 * the agent's other session reports the node. Opened when it is first needed: most agents never need it. Confined to the thread
 * of the agent.
 */
final class JobLink implements AutoCloseable {
    private final String jobId;
    private final Supplier<SessionStore> connect;
    private int worldSize;
    private @Nullable SessionStore session;
    private @Nullable LaunchedJob job;

    JobLink(String jobId, Supplier<SessionStore> connect) {
        this.jobId = jobId;
        this.connect = connect;
    }

    /** Sets the size of the job, which its processes know as well. */
    void open(int newWorldSize) {
        if (newWorldSize != worldSize && session != null) {
            job = LaunchedJob.of(session, jobId, newWorldSize);
        }
        worldSize = newWorldSize;
    }

    private LaunchedJob job() {
        LaunchedJob known = job;
        if (known == null) {
            session = connect.get();
            known = LaunchedJob.of(session, jobId, worldSize);
            job = known;
        }
        return known;
    }

    /** See {@link LaunchedJob#promise}. */
    CompletableFuture<OptionalInt> promise() {
        try {
            return job().promise();
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** See {@link LaunchedJob#founded}. */
    CompletableFuture<Void> founded(Duration limit) {
        try {
            return job().founded(limit);
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Breaks the promises that are not kept yet. */
    @Override
    public void close() {
        if (session != null) {
            session.abandon();
            session.close();
        }
    }
}
