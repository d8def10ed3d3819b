package dev.resiliency.store;

import dev.resiliency.store.internal.LocalKeyspace;
import dev.resiliency.store.internal.LocalSession;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store within this process: for tests, and for jobs of one rank. Several sessions may share what it holds, as the
 * ranks of a job do, and each may {@linkplain #abandon() die}.
 *
 * <p>It runs on its callers' threads, and needs one of its own only while something waits or has a lease. A listener
 * is called on the thread of whoever made the change.
 */
public final class InMemoryStore implements Store {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

    private final LocalKeyspace keyspace;
    private final LocalSession session;
    private final Duration timeout;

    private InMemoryStore(LocalKeyspace keyspace, Duration timeout) {
        this.keyspace = keyspace;
        this.session = new LocalSession(keyspace);
        this.timeout = timeout;
    }

    /** A new, empty store, whose {@linkplain #timeout() limit} is 300 s. */
    public static InMemoryStore create() {
        return create(DEFAULT_TIMEOUT);
    }

    /** A new, empty store whose calls wait for at most {@code timeout} unless they name their own limit. */
    public static InMemoryStore create(Duration timeout) {
        return new InMemoryStore(new LocalKeyspace(), timeout);
    }

    /** Another session on what this store holds, as another rank has it. It is closed for itself. */
    public InMemoryStore newSession() {
        return new InMemoryStore(keyspace, timeout);
    }

    /**
     * Ends this session without a goodbye, as if its process had died: the last will is carried out. Nothing if the
     * session has ended.
     */
    public void abandon() {
        session.abandon();
    }

    @Override
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        return session.submit(List.copyOf(operations), timeout);
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        session.send(List.copyOf(operations));
    }

    @Override
    public void onLost(Consumer<? super StoreException> listener) {
        session.onLost(listener);
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    @Override
    public long session() {
        return session.id();
    }

    @Override
    public void close() {
        session.close();
    }

    @Override
    public String toString() {
        return "InMemoryStore";
    }
}
