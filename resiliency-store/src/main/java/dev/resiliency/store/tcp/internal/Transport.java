package dev.resiliency.store.tcp.internal;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.TimeUnit;

/** Which of Netty's transports is used: epoll where there is one, else that of the JDK. */
record Transport(
        IoHandlerFactory ioHandlers,
        Class<? extends ServerChannel> serverChannel,
        Class<? extends SocketChannel> channel) {
    private static final long STOP_SECONDS = 2;

    static Transport best() {
        return Epoll.isAvailable()
                ? new Transport(EpollIoHandler.newFactory(), EpollServerSocketChannel.class, EpollSocketChannel.class)
                : new Transport(NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class);
    }

    /** An event loop of one daemon thread, which has this name. */
    MultiThreadIoEventLoopGroup newLoop(String name) {
        return new MultiThreadIoEventLoopGroup(
                1,
                runnable -> {
                    Thread thread = new FastThreadLocalThread(runnable, name);
                    thread.setDaemon(true);
                    return thread;
                },
                ioHandlers);
    }

    /** Ends the loop's thread, after what it has to do, and waits for that unless called on that thread itself. */
    static void stop(MultiThreadIoEventLoopGroup loop) {
        var stopped = loop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
        if (!loop.next().inEventLoop()) {
            stopped.awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
        }
    }
}
