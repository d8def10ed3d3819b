package dev.resiliency.store.tcp.internal.client;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.internal.Nanos;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.Tls;
import dev.resiliency.store.tcp.internal.wire.Credentials;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import dev.resiliency.store.tcp.internal.wire.Loop;
import dev.resiliency.store.tcp.internal.wire.TlsContexts;
import dev.resiliency.store.tcp.internal.wire.Transport;
import io.netty.channel.ChannelException;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A session on a server, on an event loop of its own. */
public final class Client implements TcpStore {
    private static final Logger LOG = LoggerFactory.getLogger(Client.class);
    // A live server answers sooner, and the replacement of a dead one is found within this time.
    private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final long CLOSE_SECONDS = 2;

    private final Loop loop;
    private final ClientSession session;
    private final Endpoint endpoint;
    private final Duration timeout;

    private final Credentials credentials;

    private Client(Loop loop, ClientSession session, Endpoint endpoint, Credentials credentials, Duration timeout) {
        this.loop = loop;
        this.session = session;
        this.endpoint = endpoint;
        this.credentials = credentials;
        this.timeout = timeout;
    }

    /**
     * Connects, retrying as often as needed.
     *
     * @param credentials how client and server authenticate each other
     * @param name the name of the client's thread
     * @param grace how long to try to reconnect the session when its connection is lost; zero: not at all
     * @throws StoreLostException if there is no connection within {@code limit}
     * @throws StoreException if client and server speak different versions, do not have the same secret or do not agree
     *     on TLS
     */
    static Client connect(
            Endpoint endpoint, Credentials credentials, String name, Duration limit, Duration grace, Duration timeout)
            throws InterruptedException {
        Transport transport = Transport.best();
        long start = System.nanoTime();
        Loop loop = openLoop(transport, name, endpoint, limit);
        Duration left = limit.minusNanos(System.nanoTime() - start);
        boolean isConnected = false;
        try {
            Client client = connect(endpoint, credentials, transport, loop, left, grace, timeout);
            isConnected = true;
            return client;
        } finally {
            if (!isConnected) {
                loop.stop();
            }
        }
    }

    /** A process that has no descriptor left for the loop may soon have one. */
    private static Loop openLoop(Transport transport, String name, Endpoint endpoint, Duration limit)
            throws InterruptedException {
        long start = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try {
                return transport.newLoop(name);
            } catch (ChannelException failed) {
                if (System.nanoTime() - start >= Nanos.of(limit)) {
                    throw endpoint.unreachable(attempt, limit, new IOException(failed.getMessage(), failed));
                }
                Thread.sleep(PAUSE.toMillis());
            }
        }
    }

    private static Client connect(
            Endpoint endpoint,
            Credentials credentials,
            Transport transport,
            Loop loop,
            Duration limit,
            Duration grace,
            Duration timeout)
            throws InterruptedException {
        Tls tlsSettings = credentials.tls();
        SslContext tls = tlsSettings == null ? null : TlsContexts.forClient(tlsSettings);
        try {
            Dialer dialer = new TcpDialer(endpoint, credentials.secret(), tls, transport, loop);
            ClientSession session = dialer.dial(new Dialer.TimeLimits(limit, LONGEST_ATTEMPT, limit))
                    .thenApplyAsync(
                            connection -> new ClientSession(endpoint, dialer, connection, grace), loop.eventLoop())
                    .get();
            return new Client(loop, session, endpoint, credentials, timeout);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof StoreException cause) {
                // The exception was made on the client's thread for this one call: the stack trace that matters is the
                // caller's.
                cause.setStackTrace(new Throwable().getStackTrace());
                throw cause;
            }
            throw new StoreException("the store failed: " + failed.getCause(), failed.getCause());
        }
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
    public StoreAddress address() {
        return endpoint.address();
    }

    @Override
    public @Nullable SecretKey secret() {
        return credentials.secret();
    }

    @Override
    public @Nullable Tls tls() {
        return credentials.tls();
    }

    @Override
    public boolean isEncrypted() {
        return credentials.tls() != null;
    }

    @Override
    public String toString() {
        return "TcpStore(" + endpoint + ")";
    }

    @Override
    public long session() {
        return session.id();
    }

    @Override
    public Operation.Renew renewal() {
        return session.renewal();
    }

    /** Says goodbye, if the server can be reached within a few seconds, and ends the event loop. */
    @Override
    public void close() {
        CompletableFuture<Void> over = session.close();
        if (!loop.eventLoop().inEventLoop()) {
            await(over);
        }
        end(session::release);
    }

    private static void await(CompletableFuture<Void> over) {
        try {
            over.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException unheard) {
            LOG.debug("The server has not answered the goodbye within {} s", CLOSE_SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(Runnable last) {
        try {
            loop.eventLoop().execute(last);
        } catch (RejectedExecutionException ended) {
            return;
        }
        loop.stop();
    }

    /** Closes the connection, as the kernel does when a process dies. */
    @Override
    public void abandon() {
        try {
            loop.eventLoop().execute(session::abandon);
        } catch (RejectedExecutionException ended) {
            LOG.debug("The session has ended before it was abandoned");
        }
    }
}
