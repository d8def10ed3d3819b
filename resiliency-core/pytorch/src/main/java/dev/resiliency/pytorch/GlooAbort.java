package dev.resiliency.pytorch;

import dev.resiliency.inprocess.CallWrapper.Abortable;
import dev.resiliency.inprocess.spi.socket.PeerConnections;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what a Gloo group waits for: its rendezvous, by closing the store bridge, and its operations, by cutting the
 * connections. It never closes the group, which another thread may be using: that is for the function's thread.
 *
 * <p>Safe for use by many threads.
 */
final class GlooAbort implements Abortable {
    private static final Logger LOG = LoggerFactory.getLogger(GlooAbort.class);

    private final StoreBridge bridge;
    /** Null until the addresses of all ranks are known. Guarded by the monitor, as is the other field. */
    private @Nullable PeerConnections sockets;

    private boolean isAborted;

    GlooAbort(StoreBridge bridge) {
        this.bridge = bridge;
    }

    /** Tells which connections belong to the group. */
    synchronized void connects(@Nullable PeerConnections ofGroup) {
        sockets = ofGroup;
    }

    synchronized boolean isAborted() {
        return isAborted;
    }

    /** Waits for the abort, for a limited time. */
    synchronized void await(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (long left = limit.toNanos(); !isAborted && left > 0; left = deadline - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    @Override
    public synchronized void abort() throws IOException {
        isAborted = true;
        notifyAll();
        bridge.abort();
        cut();
    }

    /** Ends operations in flight: a listener is never touched, whose failure would end the process. */
    synchronized void cut() throws IOException {
        if (sockets != null) {
            LOG.debug("cut {} connections of a process group", sockets.endReceiving());
        }
    }

    /** Appears in the log if the abort fails. */
    @Override
    public String toString() {
        return "of a Gloo process group";
    }
}
