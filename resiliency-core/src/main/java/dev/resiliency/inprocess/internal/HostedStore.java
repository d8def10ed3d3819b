package dev.resiliency.inprocess.internal;

import dev.resiliency.store.Store;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The session of the rank that hosts the job's store, together with the server. */
public final class HostedStore extends ForwardingStore {
    private static final Logger LOG = LoggerFactory.getLogger(HostedStore.class);

    /** How long the server waits for the goodbyes of the others, who have all said that they are ready to part. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final TcpStoreServer server;
    private final Duration connectTimeout;

    /**
     * {@code client} is a session on {@code server}, which lives in this process.
     *
     * @param connectTimeout how long the others try to connect
     */
    public HostedStore(Store client, TcpStoreServer server, Duration connectTimeout) {
        super(client);
        this.server = server;
        this.connectTimeout = connectTimeout;
        LOG.info("this process hosts the job's store at {}", address());
    }

    /** Ends the session, then the server, when the others have said goodbye or after a limit. */
    @Override
    public void close() {
        super.close();
        server.close(GRACE);
    }

    /**
     * Ends the session, but goes on hosting the store for the others, on a daemon thread, until they have left or this
     * process ends.
     *
     * @param mayBeFirst whether the others may still be about to connect: the server waits for them as long as they try
     */
    void closeSessionOnly(boolean mayBeFirst) {
        super.close();
        LOG.info(
                "this rank has left its job but hosts the job's store at {}: the others go on while this process lives",
                address());
        Duration patience = mayBeFirst ? connectTimeout : Duration.ZERO;
        Thread host = new Thread(() -> server.closeWhenUnused(patience), "resiliency-store-host");
        host.setDaemon(true);
        host.start();
    }
}
