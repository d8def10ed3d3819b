package dev.resiliency.inprocess.internal;

import dev.resiliency.store.Operation;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreAddress;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of the rank that hosts the job's store.
 *
 * @param client the session
 * @param server in this process
 */
public record HostedStore(Store client, TcpStoreServer server) implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(HostedStore.class);

    /** How long the server waits for the goodbyes of the others, who have all said that they are ready to part. */
    private static final Duration GRACE = Duration.ofSeconds(5);
    /** For as long as this process lives, in effect. */
    private static final Duration WITHOUT_LIMIT = Duration.ofDays(365);

    /** Ends the session, then the server, when the others have said goodbye or after a limit. */
    @Override
    public void close() {
        client.close();
        server.close(GRACE);
    }

    /**
     * Ends the session, but goes on hosting the store for the others, on a daemon thread, until they have left or this
     * process ends.
     */
    void closeSessionOnly() {
        client.close();
        LOG.info(
                "this rank has left its job but hosts the job's store at {}: the others go on while this process lives",
                address());
        Thread host = new Thread(() -> server.close(WITHOUT_LIMIT), "resiliency-store-host");
        host.setDaemon(true);
        host.start();
    }

    @Override
    public Duration timeout() {
        return client.timeout();
    }

    @Override
    public long session() {
        return client.session();
    }

    @Override
    public @Nullable StoreAddress address() {
        return client.address();
    }

    @Override
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        return client.submit(operations, timeout);
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        client.send(operations);
    }

    @Override
    public void onLost(Consumer<? super StoreException> listener) {
        client.onLost(listener);
    }
}
