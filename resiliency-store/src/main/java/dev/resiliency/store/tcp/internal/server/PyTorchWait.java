package dev.resiliency.store.tcp.internal.server;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** A wait of a PyTorch client, for keys to exist or at a barrier. The server's event loop owns it. */
final class PyTorchWait {
    private final PyTorchConnection connection;
    private final long id;
    private final Set<String> keys;

    PyTorchWait(PyTorchConnection connection, long id, Collection<String> keys) {
        this.connection = connection;
        this.id = id;
        this.keys = new LinkedHashSet<>(keys);
    }

    /** Returns the id of the wait within its connection. */
    long id() {
        return id;
    }

    /** Returns the keys that are still missing. */
    Set<String> keys() {
        return keys;
    }

    /**
     * Notes that one of the keys is that of a queue, which has just been filled; returns whether nothing else is
     * missing.
     */
    boolean noteFilled(String queue) {
        keys.remove(queue);
        return connection.waitsOn(this);
    }

    void end() {
        connection.end(this);
    }
}
