package dev.resiliency.xgboost;

import dev.resiliency.inprocess.CallWrapper.Abortable;
import dev.resiliency.inprocess.spi.socket.NativeSockets;
import dev.resiliency.xgboost.Tracker.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what XGBoost waits for in this process: the other ranks, by ending the tracker's answer; their connections, by
 * ending its listener; and collective operations, by cutting the connections. The communicator itself belongs to the thread
 * of the function.
 *
 * <p>Safe for use by many threads.
 */
final class GroupAbort implements Abortable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupAbort.class);
    /** While ranks connect, there may be another connection at any time. */
    private static final Duration BETWEEN_CUTS = Duration.ofMillis(20);

    private static final Duration LIMIT = Duration.ofSeconds(8);

    private final Tracker tracker;
    private final GroupConnections connections;
    private final CountDownLatch aborted = new CountDownLatch(1);
    private final CountDownLatch connected = new CountDownLatch(1);

    GroupAbort(Tracker tracker, GroupConnections connections) {
        this.tracker = tracker;
        this.connections = connections;
    }

    /** Waits for the abort, for a limited time. */
    void await(Duration limit) throws InterruptedException {
        aborted.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** XGBoost has connected, or could not: it opens no more connections. */
    void connected() {
        connected.countDown();
    }

    @Override
    public void abort() throws IOException, InterruptedException {
        aborted.countDown();
        tracker.abort();
        long deadline = System.nanoTime() + LIMIT.toNanos();
        do {
            endListener();
            connections.end();
        } while (!connected.await(BETWEEN_CUTS.toNanos(), TimeUnit.NANOSECONDS) && System.nanoTime() < deadline);
        connections.end(); // what was opened since
    }

    private void endListener() throws IOException {
        NativeSockets sockets = NativeSockets.find();
        Worker worker = tracker.worker();
        if (sockets != null && worker != null && connected.getCount() > 0) {
            sockets.endListeners(worker.port());
        }
    }

    /** Ends the thread with which XGBoost listens for errors, and which it leaves behind when it fails. */
    void endErrorListener() {
        NativeSockets sockets = NativeSockets.find();
        Worker worker = tracker.worker();
        try {
            if (sockets != null && worker != null) {
                sockets.endListeners(worker.errorPort());
            }
        } catch (IOException e) {
            LOG.warn("XGBoost leaves a thread behind, which listens at port {}", worker.errorPort(), e);
        }
    }

    /** Appears in the log if the abort fails. */
    @Override
    public String toString() {
        return "of a group of XGBoost";
    }
}
