package dev.resiliency.store.tcp.internal;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** Which of Netty's transports is used: epoll where there is one, else that of the JDK. */
record Transport(
        IoHandlerFactory ioHandlers,
        Class<? extends ServerChannel> serverChannel,
        Class<? extends SocketChannel> channel) {

    static Transport best() {
        return Epoll.isAvailable()
                ? new Transport(EpollIoHandler.newFactory(), EpollServerSocketChannel.class, EpollSocketChannel.class)
                : new Transport(NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class);
    }

    Loop newLoop(String name) {
        return new Loop(name, ioHandlers);
    }
}
