package dev.resiliency.pytorch;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;

/**
 * Finds the connections between the ranks of a group among the descriptors of this process, and cuts them. Nothing else
 * ends an operation of Gloo that waits for a stopped rank.
 *
 * <p>A connection of Gloo begins at any port and ends at the listener of a rank. A listener itself is never touched: Gloo
 * ends the process if it fails. Safe for use by many threads.
 */
final class GlooSockets {
    private final NativeSockets sockets;
    private final Set<InetSocketAddress> listeners;

    /**
     * Names a group by its listeners.
     *
     * @param listeners of all ranks, this one included
     */
    GlooSockets(NativeSockets sockets, Set<InetSocketAddress> listeners) {
        this.sockets = sockets;
        this.listeners = Set.copyOf(listeners);
    }

    /**
     * Cuts all connections; returns how many. Gloo then sees their ends, fails all operations on them, and closes them,
     * which the other rank sees. Sending stays possible until then: when a write fails that Gloo makes to answer another
     * rank, it forgets the operation, which would wait on.
     */
    int cut() throws IOException {
        int cut = 0;
        for (int descriptor : NativeSockets.descriptors()) {
            if (isOfGroup(descriptor) && cut(descriptor)) {
                cut++;
            }
        }
        return cut;
    }

    /**
     * Cuts through a duplicate: Gloo may close the descriptor at any time, and its number may then be that of another
     * socket.
     */
    private boolean cut(int descriptor) {
        int duplicate = sockets.duplicate(descriptor);
        if (duplicate < 0) {
            return false;
        }
        try {
            return isOfGroup(duplicate) && sockets.endReceiving(duplicate);
        } finally {
            sockets.close(duplicate);
        }
    }

    private boolean isOfGroup(int descriptor) {
        InetSocketAddress remote = sockets.remoteAddress(descriptor);
        if (remote == null) {
            return false; // no socket, or a listener
        }
        InetSocketAddress local = sockets.localAddress(descriptor);
        return listeners.contains(remote) || (local != null && listeners.contains(local));
    }
}
