package dev.resiliency.store.tcp.internal.client;

import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import dev.resiliency.store.tcp.internal.wire.FlushQueue;
import dev.resiliency.store.tcp.internal.wire.FrameDecoder;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.Loop;
import dev.resiliency.store.tcp.internal.wire.RefusedException;
import dev.resiliency.store.tcp.internal.wire.TlsFailures;
import dev.resiliency.store.tcp.internal.wire.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes connections over TCP. */
@SuppressWarnings("FutureReturnValueIgnored") // no one waits for the close of a failed attempt
final class TcpDialer implements Dialer {
    private static final Logger LOG = LoggerFactory.getLogger(TcpDialer.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    /** How long a server may be absent before that is reported; the next report comes after twice that time. */
    private static final Duration FIRST_REPORT = Duration.ofSeconds(5);

    private final Endpoint endpoint;
    private final @Nullable SecretKey secret;
    private final @Nullable SslContext tls;
    private final Transport transport;
    private final Loop loop;
    private final FlushQueue flushes;
    private final Duration firstReport;

    /**
     * Creates a dialer; without {@code secret} the server need not prove anything, without {@code tls} nothing is
     * encrypted.
     */
    TcpDialer(Endpoint endpoint, @Nullable SecretKey secret, @Nullable SslContext tls, Transport transport, Loop loop) {
        this(endpoint, secret, tls, transport, loop, FIRST_REPORT);
    }

    TcpDialer(
            Endpoint endpoint,
            @Nullable SecretKey secret,
            @Nullable SslContext tls,
            Transport transport,
            Loop loop,
            Duration firstReport) {
        this.endpoint = endpoint;
        this.secret = secret;
        this.tls = tls;
        this.transport = transport;
        this.loop = loop;
        this.flushes = new FlushQueue(loop.eventLoop());
        this.firstReport = firstReport;
    }

    @Override
    public EventLoop eventLoop() {
        return loop.eventLoop();
    }

    @Override
    public CompletableFuture<ClientConnection> dial(TimeLimits limits) {
        CompletableFuture<ClientConnection> connection = new CompletableFuture<>();
        Call call = new Call(limits, connection);
        eventLoop().execute(call::attempt);
        return connection;
    }

    /** One call of {@link #dial}, with all its attempts. The event loop owns it. */
    private final class Call {
        private final TimeLimits limits;
        private final CompletableFuture<ClientConnection> connection;
        private final long start = System.nanoTime();
        private Duration pause = FIRST_PAUSE;
        private Duration nextReport = firstReport;
        private int attempts;
        private boolean hasProbed;
        private @Nullable IOException failure;

        Call(TimeLimits limits, CompletableFuture<ClientConnection> connection) {
            this.limits = limits;
            this.connection = connection;
        }

        private Duration spent() {
            return Duration.ofNanos(System.nanoTime() - start);
        }

        private void attempt() {
            if (connection.isDone()) {
                return; // given up
            }
            try {
                tryOnce();
            } catch (RuntimeException impossible) {
                connection.completeExceptionally(impossible); // nothing else on the event loop would
            }
        }

        private void tryOnce() {
            attempts++;
            Duration left = limits.total().minus(spent());
            int limitMillis =
                    (int) Math.max(1, Dialer.shorter(left, limits.attempt()).toMillis());
            InetSocketAddress server;
            try {
                StoreAddress address = endpoint.address();
                server = new InetSocketAddress(InetAddress.getByName(address.host()), address.port());
            } catch (UnknownHostException unknown) {
                failed(unknown, null);
                return;
            }
            CompletableFuture<ClientConnection> welcome = new CompletableFuture<>();
            ChannelFuture opened = connect(server, limitMillis, welcome);
            Future<?> alarm = eventLoop()
                    .schedule(
                            () -> welcome.completeExceptionally(new SocketTimeoutException(
                                    "no answer within %s s".formatted(limitMillis / 1000.0))),
                            limitMillis,
                            TimeUnit.MILLISECONDS);
            welcome.whenComplete((connected, failed) -> {
                alarm.cancel(false);
                // Guards against the race with giving up: a connection that is no longer wanted is closed.
                if ((failed != null || !connection.complete(connected))
                        && opened.channel().isRegistered()) {
                    opened.channel().close();
                }
                if (failed != null) {
                    failed(asIOException(failed), opened.isSuccess() ? server : null);
                }
            });
        }

        private static IOException asIOException(Throwable failed) {
            if (failed instanceof SSLException tlsFailed) {
                return new RefusedException(Frames.REFUSED_TLS_FAILED, TlsFailures.describe(tlsFailed), tlsFailed);
            }
            return failed instanceof IOException known ? known : new IOException(String.valueOf(failed), failed);
        }

        private ChannelFuture connect(
                InetSocketAddress server, int limitMillis, CompletableFuture<ClientConnection> welcome) {
            ChannelFuture connected = transport
                    .keepingAlive(new Bootstrap())
                    .group(loop.eventLoop())
                    .disableResolver() // it would listen to the event loop's termination: see Loop
                    .channel(transport.channel())
                    .option(ChannelOption.TCP_NODELAY, true)
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
                            ClientHandshake handshake =
                                    new ClientHandshake(endpoint.address().scope(), secret);
                            channel.pipeline()
                                    .addLast(
                                            new FrameDecoder(),
                                            new ClientConnection(handshake, channel, flushes, welcome));
                        }
                    })
                    .connect(server);
            if (connected.isDone() && !connected.isSuccess()) {
                // Without a listener: if there was no descriptor for a socket, another thread would call it.
                welcome.completeExceptionally(connected.cause());
            } else {
                connected.addListener(attempt -> {
                    if (!attempt.isSuccess()) {
                        welcome.completeExceptionally(attempt.cause());
                    }
                });
            }
            return connected;
        }

        /**
         * Goes on after an attempt that failed, unless that is pointless.
         *
         * @param server the server that accepted the connection; null if none did
         */
        private void failed(IOException failed, @Nullable InetSocketAddress server) {
            // A timeout says less than the failure before it, as the last attempt may have had too little time.
            boolean isSilence = failed instanceof SocketTimeoutException || failed instanceof ConnectTimeoutException;
            IOException last = isSilence && failure != null ? failure : failed;
            failure = last;
            LOG.debug("Attempt {} to connect to {} failed: {}", attempts, endpoint, failed.toString());
            if (last instanceof RefusedException refused && refused.isFinal()) {
                connection.completeExceptionally(endpoint.refused(refused));
                return;
            }
            boolean isLast = spent().compareTo(limits.total()) >= 0;
            if (server == null || failed instanceof RefusedException || (hasProbed && !isLast)) {
                goOn(last);
                return;
            }
            hasProbed = true;
            PyTorchProbe.ask(server, transport, loop).thenAccept(isPyTorchs -> {
                if (isPyTorchs) {
                    connection.completeExceptionally(endpoint.refused(
                            new RefusedException(Frames.REFUSED_PYTORCH, "it speaks PyTorch's protocol only")));
                } else {
                    goOn(last);
                }
            });
        }

        /** Tries again, unless the time is over. */
        private void goOn(IOException last) {
            Duration spent = spent();
            Duration limit = Endpoint.isNobodyThere(last) ? limits.refusals() : limits.total();
            Duration left = limit.minus(spent);
            if (left.isNegative() || left.isZero()) {
                connection.completeExceptionally(endpoint.unreachable(attempts, spent, last));
                return;
            }
            if (spent.compareTo(nextReport) >= 0) {
                LOG.info("{} Trying for another {} s", endpoint.absent(spent, last), Math.max(1, left.toSeconds()));
                nextReport = nextReport.multipliedBy(2);
            }
            eventLoop().schedule(this::attempt, Dialer.shorter(pause, left).toMillis(), TimeUnit.MILLISECONDS);
            pause = Dialer.shorter(pause.multipliedBy(2), LONGEST_PAUSE);
        }
    }
}
