package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.internal.Nanos;
import dev.resiliency.store.tcp.internal.wire.Loop;
import dev.resiliency.store.tcp.internal.wire.TlsSettings;
import dev.resiliency.store.tcp.internal.wire.Transport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening socket and the one event loop that carries it, its connections and the keyspace. */
public final class Server {
    private static final Logger log = LoggerFactory.getLogger(Server.class);
    private static final int BACKLOG = 16384;

    private final Loop loop;
    private final ServerState state;
    private final Channel channel;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private Server(Loop loop, ServerState state, Channel channel) {
        this.loop = loop;
        this.state = state;
        this.channel = channel;
    }

    /**
     * Binds to the address and starts to serve.
     *
     * @throws IOException if that is not possible
     */
    public static Server start(InetSocketAddress address, ServerSettings settings)
            throws IOException, InterruptedException {
        TlsSettings tlsSettings = settings.credentials().tls();
        SslContext tls = tlsSettings == null ? null : tlsSettings.forServer();
        Transport transport = Transport.best();
        Loop loop = transport.newLoop("resiliency-store-server");
        ServerState state = new ServerState(loop.eventLoop(), settings);
        ServerBootstrap bootstrap = transport
                .keepingAlive(new ServerBootstrap())
                .group(loop.group())
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (state.admit(channel)) {
                            ServerConnection.install(state, tls, channel);
                        }
                    }
                });
        boolean isBound = false;
        try {
            ChannelFuture bound = bootstrap.bind(address).await();
            isBound = bound.isSuccess();
            if (!isBound) {
                throw new IOException(String.valueOf(bound.cause().getMessage()), bound.cause());
            }
            return new Server(loop, state, bound.channel());
        } finally {
            if (!isBound) {
                loop.stop();
            }
        }
    }

    /** The port that it listens on. */
    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** What it has to do at the moment; null if it has been closed. */
    public @Nullable Statistics statistics() throws InterruptedException {
        try {
            return loop.eventLoop().submit(state::statistics).get();
        } catch (RejectedExecutionException | ExecutionException closed) {
            return null;
        }
    }

    /** Goes on, new connections included, until the last client has gone, and ends then; if it is interrupted, at once. */
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

    /** Stops accepting, waits for at most {@code grace} until the clients have gone, and ends the event loop. */
    public void close(Duration grace) {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        channel.close().awaitUninterruptibly();
        try {
            state.awaitEmpty(Duration.ZERO).get(Nanos.of(grace), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException clientsRemain) {
            log.debug("Closing the connections of clients that are still there");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        loop.eventLoop().execute(state::closeConnections);
        loop.stop();
    }
}
