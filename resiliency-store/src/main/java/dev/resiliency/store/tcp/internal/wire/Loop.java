package dev.resiliency.store.tcp.internal.wire;

import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event loop and its one daemon thread.
 *
 * <p>It is not a group of event loops, and nothing may listen to its termination: either would start Netty's {@code
 * globalEventExecutor}, whose thread is not a daemon and delays the end of the JVM by a second.
 */
public final class Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final long STOP_SECONDS = 2;

    private final String name;
    private final EventLoop eventLoop;
    private volatile @Nullable Thread thread; // set once, by the thread that makes the loop start it

    Loop(String name, IoHandlerFactory ioHandlers) {
        this.name = name;
        this.eventLoop = new ClosingEventLoop(this::newThread, ioHandlers);
    }

    /**
     * Closes its channels however its end begins. Netty's own does not if the stop is asked for between its look at the
     * state and its last one; without a quiet period it then ends at once, and its connections stay open.
     */
    private static final class ClosingEventLoop extends SingleThreadIoEventLoop {
        ClosingEventLoop(ThreadFactory threads, IoHandlerFactory ioHandlers) {
            super(null, threads, ioHandlers);
        }

        @Override
        protected void run() {
            super.run();
            ioHandler().prepareToDestroy();
        }
    }

    private Thread newThread(Runnable runnable) {
        Thread started = new FastThreadLocalThread(runnable, name);
        started.setDaemon(true);
        thread = started;
        return started;
    }

    public EventLoop eventLoop() {
        return eventLoop;
    }

    /**
     * Closes all channels, ends the thread after its remaining tasks, and waits for its end for a limited time, unless
     * called on the thread itself. An interrupt ends the wait; the thread ends all the same.
     */
    public void stop() {
        Future<?> stopped = eventLoop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
        Thread last = thread;
        if (last == null || last == Thread.currentThread()) {
            return;
        }
        try {
            if (stopped.await(2 * STOP_SECONDS, TimeUnit.SECONDS)) {
                last.join(); // it counts as stopped a moment before its thread has ended
            } else {
                LOG.warn("The thread {} has not ended within {} s", name, 2 * STOP_SECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
