package dev.resiliency.store.tcp.internal.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.Map;

/**
 * The Netty transport in use: epoll where available, else that of the JDK.
 *
 * <p>With epoll, the kernel itself notices within a short time that the peer is unreachable, whether something was sent
 * or not; with the JDK's transport this takes hours. The server must notice first: a kernel that gives up sends an RST,
 * and if a client's RST got through, the server would take the client for dead.
 *
 * @param serverPatience the socket options for this on the server
 * @param clientPatience those on the client
 */
public record Transport(
        IoHandlerFactory ioHandlers,
        Class<? extends ServerChannel> serverChannel,
        Class<? extends SocketChannel> channel,
        Map<ChannelOption<Integer>, Integer> serverPatience,
        Map<ChannelOption<Integer>, Integer> clientPatience) {
    private static final int IDLE_SECONDS = 10;
    private static final int PROBE_SECONDS = 5;
    private static final int SERVER_PROBES = 2;
    private static final int CLIENT_PROBES = 4;

    public static Transport best() {
        return Epoll.isAvailable()
                ? new Transport(
                        EpollIoHandler.newFactory(),
                        EpollServerSocketChannel.class,
                        EpollSocketChannel.class,
                        patience(SERVER_PROBES),
                        patience(CLIENT_PROBES))
                : new Transport(
                        NioIoHandler.newFactory(),
                        NioServerSocketChannel.class,
                        NioSocketChannel.class,
                        Map.of(),
                        Map.of());
    }

    private static Map<ChannelOption<Integer>, Integer> patience(int probes) {
        int seconds = IDLE_SECONDS + probes * PROBE_SECONDS;
        return Map.of(
                EpollChannelOption.TCP_KEEPIDLE, IDLE_SECONDS,
                EpollChannelOption.TCP_KEEPINTVL, PROBE_SECONDS,
                EpollChannelOption.TCP_KEEPCNT, probes,
                EpollChannelOption.TCP_USER_TIMEOUT, 1000 * seconds);
    }

    public Bootstrap keepingAlive(Bootstrap bootstrap) {
        clientPatience.forEach(bootstrap::option);
        return bootstrap.option(ChannelOption.SO_KEEPALIVE, true);
    }

    public ServerBootstrap keepingAlive(ServerBootstrap bootstrap) {
        serverPatience.forEach(bootstrap::childOption);
        return bootstrap.childOption(ChannelOption.SO_KEEPALIVE, true);
    }

    public Loop newLoop(String name) {
        return new Loop(name, ioHandlers);
    }
}
