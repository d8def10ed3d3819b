package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.internal.BackgroundLog;
import dev.resiliency.store.internal.Holdings;
import dev.resiliency.store.internal.Nanos;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.spi.StoreFigures;
import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.store.tcp.Tls;
import dev.resiliency.store.tcp.internal.wire.Loop;
import dev.resiliency.store.tcp.internal.wire.TlsContexts;
import dev.resiliency.store.tcp.internal.wire.Transport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket, and the one event loop that serves it, its connections and the keyspace.
 *
 * <p>Thread: {@code resiliency-store-server}, that loop.
 */
public final class Server implements TcpStoreServer {
    private static final BackgroundLog LOG = BackgroundLog.of(Server.class);
    private static final int BACKLOG = 16384;
    private static final Duration LOG_LIMIT = Duration.ofMillis(500);

    private final Loop loop;
    private final ServerState state;
    private final String host;
    private final Channel channel;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private Server(Loop loop, ServerState state, String host, Channel channel) {
        this.loop = loop;
        this.state = state;
        this.host = host;
        this.channel = channel;
    }

    /**
     * Binds to the address and starts serving.
     *
     * @throws IOException if that is not possible
     */
    static Server start(String host, InetSocketAddress address, ServerSettings settings)
            throws IOException, InterruptedException {
        Tls tlsSettings = settings.credentials().tls();
        SslContext tls = tlsSettings == null ? null : TlsContexts.forServer(tlsSettings);
        Transport transport = Transport.best();
        Loop loop = transport.newLoop("resiliency-store-server");
        ServerState state = new ServerState(loop.eventLoop(), settings, Descriptors.ofThisProcess());
        ServerBootstrap bootstrap = transport
                .keepingAlive(new ServerBootstrap())
                .group(loop.eventLoop())
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        ServerConnection.install(state, tls, channel);
                    }
                });
        boolean isBound = false;
        try {
            ChannelFuture bound = bootstrap.bind(address).await();
            isBound = bound.isSuccess();
            if (!isBound) {
                throw new IOException(String.valueOf(bound.cause().getMessage()), bound.cause());
            }
            bound.channel().pipeline().addLast(new AcceptFailures(state));
            return new Server(loop, state, host, bound.channel());
        } finally {
            if (!isBound) {
                loop.stop();
            }
        }
    }

    /** See {@link TcpStoreServer.Builder#standstill}. */
    void forgetAfter(Duration standstill) {
        loop.eventLoop().execute(() -> state.forgetAfter(standstill));
    }

    /** Logs why connections cannot be accepted. Netty itself would log it on the event loop, which must not wait for that. */
    private static final class AcceptFailures extends ChannelInboundHandlerAdapter {
        private final ServerState state;

        AcceptFailures(ServerState state) {
            this.state = state;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            state.makeRoom();
            state.warnings().warn("Cannot accept a connection: {}", cause.toString());
        }
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Returns its current load; null if it is closed. */
    public @Nullable Statistics statistics() throws InterruptedException {
        try {
            return loop.eventLoop().submit(state::statistics).get();
        } catch (RejectedExecutionException | ExecutionException closed) {
            return null;
        }
    }

    @Override
    public @Nullable StoreFigures figures() throws InterruptedException {
        Statistics now = statistics();
        if (now == null) {
            return null;
        }
        Holdings holdings = now.holdings();
        return new StoreFigures(
                now.connections(),
                now.requests(),
                holdings.keys(),
                holdings.bytes(),
                holdings.sessions(),
                holdings.waiting(),
                holdings.watches());
    }

    @Override
    public void closeWhenUnused(Duration patience) {
        try {
            state.awaitEmpty(patience).get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        close(Duration.ZERO);
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }

    @Override
    public void close(Duration grace) {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        channel.close().awaitUninterruptibly();
        try {
            state.awaitEmpty(Duration.ZERO).get(Nanos.of(grace), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException clientsRemain) {
            LOG.debug("Closing the connections of the remaining clients");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        loop.eventLoop().execute(state::closeConnections);
        loop.stop();
        BackgroundLog.flush(LOG_LIMIT);
    }

    @Override
    public String toString() {
        return "TcpStoreServer(" + host + ":" + port() + ")";
    }
}
