package dev.resiliency.inprocess.spi.socket;

import dev.resiliency.store.spi.guard.OpenFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Duplicates of the descriptors of a group's connections: while they are open, the connections are, whatever the library
 * does. Safe for use by many threads. Obtained from {@link PeerConnections#hold()}.
 *
 * @since 0.1.0
 */
public final class HeldConnections implements AutoCloseable {
    private final NativeSockets sockets;
    /** Empty once they are closed. Guarded by the monitor. */
    private final List<Integer> duplicates = new ArrayList<>();

    private HeldConnections(NativeSockets sockets) {
        this.sockets = sockets;
    }

    static HeldConnections hold(NativeSockets sockets, IntPredicate isMeant) throws IOException {
        HeldConnections held = new HeldConnections(sockets);
        for (int descriptor : OpenFiles.descriptors()) {
            held.add(sockets.duplicate(descriptor, isMeant));
        }
        return held;
    }

    private synchronized void add(int duplicate) {
        if (duplicate >= 0 && sockets.resetWhenClosed(duplicate)) {
            duplicates.add(duplicate);
        } else if (duplicate >= 0) {
            sockets.close(duplicate);
        }
    }

    /** Returns whether there is no connection, as in a group of one rank. */
    public synchronized boolean isEmpty() {
        return duplicates.isEmpty();
    }

    /** Breaks all connections in both directions. */
    public synchronized void end() {
        duplicates.forEach(sockets::end);
    }

    /** Lets go of the connections, which ends those that the library has closed. Idempotent. */
    @Override
    public synchronized void close() {
        duplicates.forEach(sockets::close);
        duplicates.clear();
    }
}
