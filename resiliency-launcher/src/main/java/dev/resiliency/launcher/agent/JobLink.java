package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
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
    private boolean hasCompleted;
    private @Nullable SessionStore session;
    private @Nullable LaunchedJob job;

    JobLink(String jobId, Supplier<SessionStore> connect) {
        this.jobId = jobId;
        this.connect = connect;
    }

    /**
     * Begins a cycle, with the size of the job that its processes know as well. All processes of the cycle before have ended, so nobody
     * waits for a promise of that time: to break one would leave a key of a generation behind that is over.
     */
    void open(int newWorldSize) {
        if (session != null) {
            session.send(List.of(new Operation.LastWill(List.of())));
        }
        if (newWorldSize != worldSize && session != null) {
            job = LaunchedJob.of(session, jobId, newWorldSize);
        }
        worldSize = newWorldSize;
    }

    private <T> CompletableFuture<T> with(Function<LaunchedJob, CompletableFuture<T>> request) {
        try {
            LaunchedJob known = job;
            if (known == null) {
                session = connect.get();
                known = LaunchedJob.of(session, jobId, worldSize);
                job = known;
            }
            return request.apply(known);
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** See {@link LaunchedJob#hasBegun}. */
    CompletableFuture<Boolean> hasBegun() {
        return with(LaunchedJob::hasBegun);
    }

    /** See {@link LaunchedJob#promise}. */
    CompletableFuture<OptionalInt> promise() {
        return with(LaunchedJob::promise);
    }

    /** See {@link LaunchedJob#founded}. */
    CompletableFuture<Void> founded(Duration limit) {
        return with(known -> known.founded(limit));
    }

    /** From now on, nobody waits for a promise, as the job has completed: to break one would leave a key of it behind. */
    void complete() {
        hasCompleted = true;
    }

    /** Breaks the promises that are not kept yet, unless the job has completed. */
    @Override
    public void close() {
        if (session != null) {
            if (!hasCompleted) {
                session.abandon();
            }
            session.close();
        }
    }
}
