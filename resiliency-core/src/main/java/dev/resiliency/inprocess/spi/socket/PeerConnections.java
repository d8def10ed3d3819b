package dev.resiliency.inprocess.spi.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;

/**
 * Finds the connections between the ranks of a group among the descriptors of this process, and cuts them: nothing else
 * ends an operation of a native library that waits for a stopped rank.
 *
 * <p>A connection begins at any port and ends at the listener of a rank. A listener itself is never touched. Safe for use
 * by many threads.
 *
 * @since 0.1.0
 */
public final class PeerConnections {
    private final NativeSockets sockets;
    private final Set<InetSocketAddress> listeners;

    /**
     * Names a group by its listeners.
     *
     * @param listeners of all ranks, this one included
     */
    public PeerConnections(NativeSockets sockets, Set<InetSocketAddress> listeners) {
        this.sockets = sockets;
        this.listeners = Set.copyOf(listeners);
    }

    /**
     * Lets reads of all connections see their ends; returns how many there are. Sending stays possible: for a library that
     * forgets an operation whose write fails, which would wait on. Its own closing of them shows the other ranks.
     */
    public int endReceiving() throws IOException {
        return sockets.cut(this::isOfGroup, sockets::endReceiving);
    }

    /** Breaks all connections in both directions; returns how many there are. */
    public int end() throws IOException {
        return sockets.cut(this::isOfGroup, sockets::end);
    }

    /**
     * Holds all connections open until the result is closed, even when the library closes them. From now on no other rank
     * sees one end in an orderly way: a closed one looks reset, and so does one of a process that has died.
     */
    public HeldConnections hold() throws IOException {
        return HeldConnections.hold(sockets, this::isOfGroup);
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
