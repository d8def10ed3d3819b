package dev.resiliency.xgboost;

import dev.resiliency.inprocess.spi.socket.HeldConnections;
import dev.resiliency.inprocess.spi.socket.NativeSockets;
import dev.resiliency.inprocess.spi.socket.PeerConnections;
import dev.resiliency.store.StoreException;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of this rank to the others. None may end in an orderly way while another rank may wait for it: XGBoost
 * reads the end, tells its waiting thread that the operation is over, and only then notes that it has failed. A thread that
 * is quicker goes on, and its next operation never ends, whatever is cut. A reset, it notes first. So what XGBoost closes
 * stays open here until all ranks have left the group, or the restart begins.
 *
 * <p>Threads: {@code resiliency-xgboost-left}, from when this rank has left until all have.
 */
final class GroupConnections {
    private static final Logger LOG = LoggerFactory.getLogger(GroupConnections.class);

    private final Tracker tracker;
    /** Null before XGBoost has connected. Guarded by the monitor, as are the other fields. */
    private @Nullable HeldConnections held;
    /** Waits for the other ranks to leave. */
    private @Nullable Thread waiting;

    private boolean isAborted;

    GroupConnections(Tracker tracker) {
        this.tracker = tracker;
    }

    /** XGBoost has opened all connections. */
    synchronized void hold() {
        PeerConnections open = open();
        if (open == null || isAborted) {
            return;
        }
        try {
            held = open.hold();
        } catch (IOException e) {
            LOG.warn("cannot hold the connections of a group of XGBoost: {}", e.toString());
        }
    }

    /** Breaks all connections that there are by now. */
    synchronized void end() throws IOException {
        isAborted = true;
        if (waiting != null) {
            waiting.interrupt();
        }
        if (held != null) {
            held.end();
            held.close();
            return;
        }
        PeerConnections open = open();
        if (open != null) {
            open.end();
        }
    }

    /** Returns those that are open, whichever they are; null without JNA. */
    private @Nullable PeerConnections open() {
        NativeSockets sockets = NativeSockets.find();
        return sockets == null ? null : new PeerConnections(sockets, Set.copyOf(tracker.addresses()));
    }

    /** XGBoost has closed the connections. */
    synchronized void left() {
        HeldConnections connections = held;
        if (connections == null || connections.isEmpty()) {
            return;
        }
        waiting = new Thread(() -> closeWhenAllHaveLeft(connections), "resiliency-xgboost-left");
        waiting.setDaemon(true);
        waiting.start();
    }

    private void closeWhenAllHaveLeft(HeldConnections connections) {
        try {
            tracker.awaitOthersLeaving();
        } catch (StoreException | InterruptedException e) {
            LOG.debug("the iteration has ended before all ranks left a group of XGBoost: {}", e.toString());
        } finally {
            connections.close();
        }
    }
}
