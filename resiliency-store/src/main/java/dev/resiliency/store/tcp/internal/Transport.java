package dev.resiliency.store.tcp.internal;

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
 * Which of Netty's transports is used: epoll where there is one, else that of the JDK.
 *
 * @param keepAlive lets the kernel notice that the other side is out of reach, without a message of ours
 */
record Transport(
        IoHandlerFactory ioHandlers,
        Class<? extends ServerChannel> serverChannel,
        Class<? extends SocketChannel> channel,
        Map<ChannelOption<Integer>, Integer> keepAlive) {

    static Transport best() {
        return Epoll.isAvailable()
                ? new Transport(
                        EpollIoHandler.newFactory(), EpollServerSocketChannel.class, EpollSocketChannel.class, epoll())
                : new Transport(
                        NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class, Map.of());
    }

    /** After 20 s without a sign of life, whether something was sent or not; the JDK's own leaves it at hours. */
    private static Map<ChannelOption<Integer>, Integer> epoll() {
        return Map.of(
                EpollChannelOption.TCP_KEEPIDLE, 10,
                EpollChannelOption.TCP_KEEPINTVL, 5,
                EpollChannelOption.TCP_KEEPCNT, 2,
                EpollChannelOption.TCP_USER_TIMEOUT, 20_000);
    }

    Bootstrap keepingAlive(Bootstrap bootstrap) {
        keepAlive.forEach(bootstrap::option);
        return bootstrap.option(ChannelOption.SO_KEEPALIVE, true);
    }

    ServerBootstrap keepingAlive(ServerBootstrap bootstrap) {
        keepAlive.forEach(bootstrap::childOption);
        return bootstrap.childOption(ChannelOption.SO_KEEPALIVE, true);
    }

    Loop newLoop(String name) {
        return new Loop(name, ioHandlers);
    }
}
