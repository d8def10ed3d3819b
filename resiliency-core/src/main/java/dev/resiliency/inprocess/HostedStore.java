package dev.resiliency.inprocess;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of the rank that hosts the job's store, together with the server.
 *
 * <p>Thread: {@code resiliency-store-host}, if rank 0 has left early, until the others have left, too.
 */
final class HostedStore extends ForwardingStore {
    private static final Logger LOG = LoggerFactory.getLogger(HostedStore.class);

    /** Limits the wait for the goodbyes of the others, which are all about to disconnect. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** The addresses at which this process hosts stores, for calls that are in progress or over. */
    private static final Set<String> SERVED = ConcurrentHashMap.newKeySet();

    /** The threads that still host the stores of earlier calls, by address. */
    private static final Map<String, Thread> HOSTS = new ConcurrentHashMap<>();

    private final TcpStoreServer server;
    private final String host;
    private final Duration connectTimeout;

    private HostedStore(SessionStore client, TcpStoreServer server, String host, Duration connectTimeout) {
        super(client);
        this.server = server;
        this.host = host;
        this.connectTimeout = connectTimeout;
        SERVED.add(addressOf(host, server.port()));
        LOG.info("this process hosts the job's store at {}", address());
    }

    /**
     * Starts a server at the address of rank 0, which is this rank, and opens a session on it.
     *
     * @param client the settings of the session; its address is set here
     * @param connectTimeout how long the others try to connect; also how long to wait if this process still hosts the
     *     store of an earlier call there for other ranks
     */
    static HostedStore open(Environment environment, String scope, TcpStore.Builder client, Duration connectTimeout)
            throws InterruptedException {
        String host = environment.masterAddress();
        int port = environment.masterPort();
        awaitEndOfEarlierCall(addressOf(host, port), connectTimeout);
        TcpStoreServer server = start(host, port, scope);
        try {
            return new HostedStore(client.host(host).port(server.port()).connect(), server, host, connectTimeout);
        } catch (RuntimeException | Error | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private static TcpStoreServer start(String host, int port, String scope) throws InterruptedException {
        try {
            return TcpStoreServer.builder().host(host).port(port).scope(scope).start();
        } catch (StoreException e) {
            String address = addressOf(host, port);
            throw SERVED.contains(address)
                    ? new StoreException(
                            ("store server: this very process hosts the store of another job at %s: give each job of a process a"
                                            + " MASTER_PORT of its own, or a standalone store server")
                                    .formatted(address),
                            e)
                    : e;
        }
    }

    private static void awaitEndOfEarlierCall(String address, Duration limit) throws InterruptedException {
        Thread earlier = HOSTS.get(address);
        if (earlier == null) {
            return;
        }
        earlier.join(Math.max(1, limit.toMillis()));
        if (earlier.isAlive()) {
            throw new StoreException(
                    ("store server: %s still serves an earlier call of this rank, as other ranks have not ended it"
                                    + " within %.1f s; call again when they have")
                            .formatted(address, limit.toMillis() / 1e3));
        }
    }

    private static String addressOf(String host, int port) {
        return host + ":" + port;
    }

    /** Ends the session, then the server once the others have said goodbye or a limit has passed. */
    @Override
    public void close() {
        super.close();
        server.close(GRACE);
        SERVED.remove(addressOf(host, server.port()));
    }

    /**
     * Ends the session, but keeps hosting the store for the others, on a daemon thread, until they have left or this
     * process ends.
     *
     * @param mayBeFirst whether others may still be about to connect: the server waits for them as long as they keep
     *     trying
     */
    void closeSessionOnly(boolean mayBeFirst) {
        super.close();
        LOG.info(
                "this rank has left its job, but its process still hosts the job's store at {}: the others need it"
                        + " until they end",
                address());
        Duration patience = mayBeFirst ? connectTimeout : Duration.ZERO;
        String address = addressOf(host, server.port());
        try {
            Thread hosting = new Thread(() -> hostUntilUnused(address, patience), "resiliency-store-host");
            hosting.setDaemon(true);
            HOSTS.put(address, hosting);
            hosting.start();
        } catch (OutOfMemoryError noThread) {
            HOSTS.remove(address);
            LOG.warn("no thread can be started: the store at {} stays open until this process ends", address, noThread);
        }
    }

    private void hostUntilUnused(String address, Duration patience) {
        try {
            server.closeWhenUnused(patience);
        } finally {
            SERVED.remove(address);
            HOSTS.remove(address, Thread.currentThread());
        }
    }
}
