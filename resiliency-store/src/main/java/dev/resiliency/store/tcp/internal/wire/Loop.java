package dev.resiliency.store.tcp.internal.wire;

import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An event loop and its one daemon thread. */
public final class Loop {
    private static final Logger log = LoggerFactory.getLogger(Loop.class);
    private static final long STOP_SECONDS = 2;

    private final String name;
    private final MultiThreadIoEventLoopGroup group;
    private volatile @Nullable Thread thread; // set once, by whoever makes the loop start it

    Loop(String name, IoHandlerFactory ioHandlers) {
        this.name = name;
        this.group = new MultiThreadIoEventLoopGroup(1, this::newThread, ioHandlers);
    }

    private Thread newThread(Runnable runnable) {
        Thread started = new FastThreadLocalThread(runnable, name);
        started.setDaemon(true);
        thread = started;
        return started;
    }

    /** For a bootstrap. */
    public MultiThreadIoEventLoopGroup group() {
        return group;
    }

    public EventLoop eventLoop() {
        return group.next();
    }

    /**
     * Closes what is open, ends the thread after what it has to do, and waits for its end, for a limited time; on the
     * thread itself it does not wait. An interrupt ends the wait, and the thread all the same.
     */
    public void stop() {
        Future<?> stopped = group.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
        Thread last = thread;
        if (last == null || last == Thread.currentThread()) {
            return;
        }
        try {
            if (stopped.await(2 * STOP_SECONDS, TimeUnit.SECONDS)) {
                last.join(); // it counts as stopped a moment before its thread has ended
            } else {
                log.warn("The thread {} has not ended within {} s", name, 2 * STOP_SECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
