package dev.resiliency.store.tcp.internal;

import dev.resiliency.store.Operation;
import dev.resiliency.store.StoreException;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection to a server and the event loop that carries it. */
public final class Client {
    private static final Logger log = LoggerFactory.getLogger(Client.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    // A server that is there answers sooner, and one that is replaced is missed only so long.
    private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(10);

    private final Loop loop;
    private final ClientConnection connection;

    private Client(Loop loop, ClientConnection connection) {
        this.loop = loop;
        this.connection = connection;
    }

    /**
     * Connects, with as many attempts as it takes.
     *
     * @param credentials how the client and the server know each other
     * @param name the name of the client's thread
     * @throws dev.resiliency.store.StoreLostException if there is no connection within {@code limit}
     * @throws StoreException if client and server speak different versions, do not have the same secret or do not agree
     *     on TLS
     */
    public static Client connect(Endpoint endpoint, Credentials credentials, String name, Duration limit)
            throws InterruptedException {
        TlsSettings tlsSettings = credentials.tls();
        SslContext tls = tlsSettings == null ? null : tlsSettings.forClient();
        Transport transport = Transport.best();
        Loop loop = transport.newLoop(name);
        boolean isConnected = false;
        try {
            ClientConnection connection = connect(endpoint, credentials, tls, limit, transport, loop);
            isConnected = true;
            return new Client(loop, connection);
        } finally {
            if (!isConnected) {
                loop.stop();
            }
        }
    }

    private static ClientConnection connect(
            Endpoint endpoint,
            Credentials credentials,
            @Nullable SslContext tls,
            Duration limit,
            Transport transport,
            Loop loop)
            throws InterruptedException {
        long start = System.nanoTime();
        Duration pause = FIRST_PAUSE;
        Duration left = limit;
        IOException failure = null;
        for (int attempts = 1; ; attempts++) {
            try {
                return attempt(endpoint, credentials, tls, shorter(left, LONGEST_ATTEMPT), transport, loop);
            } catch (SocketTimeoutException | ConnectTimeoutException silence) {
                // Tells less than what was heard before, for the last attempt may have had no time.
                failure = failure == null ? silence : failure;
            } catch (IOException failed) {
                failure = failed;
            }
            log.debug("Attempt {} to connect to {} failed", attempts, endpoint, failure);
            if (failure instanceof RefusedException refused && refused.isFinal()) {
                throw endpoint.refused(refused);
            }
            Duration spent = Duration.ofNanos(System.nanoTime() - start);
            left = limit.minus(spent);
            if (left.isNegative() || left.isZero()) {
                throw endpoint.unreachable(attempts, spent, failure);
            }
            Thread.sleep(shorter(pause, left).toMillis());
            pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for a failed attempt to be closed
    private static ClientConnection attempt(
            Endpoint endpoint,
            Credentials credentials,
            @Nullable SslContext tls,
            Duration limit,
            Transport transport,
            Loop loop)
            throws IOException, InterruptedException {
        CompletableFuture<ClientConnection> welcome = new CompletableFuture<>();
        int limitMillis = Math.max(1, (int) limit.toMillis());
        ChannelFuture connected = new Bootstrap()
                .group(loop.group())
                .channel(transport.channel())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, limitMillis)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (tls != null) {
                            channel.pipeline()
                                    .addLast(tls.newHandler(
                                            channel.alloc(),
                                            endpoint.address().host(),
                                            endpoint.address().port()));
                        }
                        channel.pipeline()
                                .addLast(
                                        new FrameDecoder(),
                                        new ClientConnection(endpoint, credentials.secret(), channel, welcome));
                    }
                })
                .connect(endpoint.address().host(), endpoint.address().port())
                .addListener(attempt -> {
                    if (!attempt.isSuccess()) {
                        welcome.completeExceptionally(attempt.cause());
                    }
                });
        Channel channel = connected.channel();
        boolean isWelcome = false;
        try {
            ClientConnection connection = welcome.get(limitMillis, TimeUnit.MILLISECONDS);
            isWelcome = true;
            return connection;
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof SSLException failure) {
                throw new RefusedException(Frames.REFUSED_TLS_FAILED, TlsFailures.describe(failure), failure);
            }
            throw cause instanceof IOException failure ? failure : new IOException(String.valueOf(cause), cause);
        } catch (TimeoutException silent) {
            throw new SocketTimeoutException("no answer within %s s".formatted(limitMillis / 1000.0));
        } finally {
            if (!isWelcome) {
                channel.close();
            }
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** See {@link dev.resiliency.store.Store#submit}. */
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        return connection.submit(operations, timeout);
    }

    /** See {@link dev.resiliency.store.Store#send}. */
    public void send(List<? extends Operation<?>> operations) {
        connection.send(operations);
    }

    /** See {@link dev.resiliency.store.Store#onLost}. */
    public void onLost(Consumer<? super StoreException> listener) {
        connection.onLost(listener);
    }

    /** The id that the server gave to the session. */
    public long session() {
        return connection.session();
    }

    /** Says goodbye, and ends the event loop; takes at most a few seconds. */
    public void close() {
        connection.close();
        loop.stop();
    }

    /** Closes the connection without a goodbye. */
    public void abandon() {
        connection.abandon();
    }
}
