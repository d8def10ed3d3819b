package dev.resiliency.launcher.log.server;

import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.spi.PortGuard;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelConfig;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives the connections of the log server their places, before anything is read from them: gRPC itself has no limit for those that
 * say nothing. Safe for use by many threads.
 */
final class Places extends ChannelInboundHandlerAdapter {
    private static final int MOST = 40_000;
    private static final Duration TIME_TO_PROVE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final PortGuard guard;
    private final Consumer<String> complaints;
    /** Until the connection is closed. */
    private final Map<Ends, PortGuard.Place> places = new ConcurrentHashMap<>();

    /** The two ends of a connection, by which it is known here and in gRPC. */
    private record Ends(SocketAddress remote, SocketAddress local) {}

    /** @param complaints receive which connection was closed, and why */
    Places(Descriptors descriptors, Consumer<String> complaints) {
        guard = new PortGuard(descriptors, MOST, 1, TIME_TO_PROVE, System::nanoTime);
        this.complaints = complaints;
    }

    /** Returns a channel that listens; its connections have places. */
    ServerChannel newChannel() {
        NioServerSocketChannel channel = new NioServerSocketChannel();
        channel.pipeline().addLast(this);
        return channel;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // of adding a listener
    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        Channel connection = (Channel) accepted;
        SocketAddress remote = connection.remoteAddress();
        SocketAddress local = connection.localAddress();
        PortGuard.Place place =
                remote == null || local == null ? null : guard.admit(reason -> end(context, connection, reason));
        if (place == null) {
            say(remote, "all places are taken");
            connection.unsafe().closeForcibly();
            return;
        }
        Ends ends = new Ends(remote, local);
        places.put(ends, place);
        connection.closeFuture().addListener(closed -> {
            places.remove(ends, place);
            place.free();
        });
        context.fireChannelRead(accepted);
    }

    /** Called by any thread. The one thread of the server may be about to take over the connection, and does this afterwards. */
    @SuppressWarnings("FutureReturnValueIgnored") // no one waits for the close
    private void end(ChannelHandlerContext context, Channel connection, String reason) {
        if (context.executor().inEventLoop()) {
            say(connection.remoteAddress(), reason);
            connection.close();
        } else {
            context.executor().execute(() -> end(context, connection, reason));
        }
    }

    private void say(@Nullable SocketAddress remote, String reason) {
        complaints.accept("the log server has closed the connection of %s: %s".formatted(remote, reason));
    }

    /** Accepts none for a moment, as Netty would, which would also print a stack trace each time. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the group
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        guard.makeRoom();
        complaints.accept("the log server cannot accept a connection: " + failure.getMessage());
        ChannelConfig port = context.channel().config();
        port.setAutoRead(false);
        context.executor().schedule(() -> port.setAutoRead(true), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends the connections that have not proved in time that they belong to the job. */
    void expire() {
        guard.expire();
    }

    /** Notes that the connection between these ends belongs to the job. */
    void proved(@Nullable SocketAddress remote, @Nullable SocketAddress local) {
        PortGuard.Place place = remote == null || local == null ? null : places.get(new Ends(remote, local));
        if (place != null) {
            place.proved();
        }
    }
}
