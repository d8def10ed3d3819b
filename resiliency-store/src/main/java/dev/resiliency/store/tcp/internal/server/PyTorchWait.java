package dev.resiliency.store.tcp.internal.server;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** A client of PyTorch's that waits until some keys exist, or at a barrier. The server's event loop owns it. */
final class PyTorchWait {
    private final PyTorchConnection connection;
    private final long id;
    private final Set<String> keys;

    PyTorchWait(PyTorchConnection connection, long id, Collection<String> keys) {
        this.connection = connection;
        this.id = id;
        this.keys = new LinkedHashSet<>(keys);
    }

    /** Names the wait among those of its connection. */
    long id() {
        return id;
    }

    /** What it still waits for. */
    Set<String> keys() {
        return keys;
    }

    /** One of the keys is that of a queue, which has just been filled. Returns whether nothing else is missing. */
    boolean isOverWith(String queue) {
        keys.remove(queue);
        return connection.waitsOn(this);
    }

    void end() {
        connection.end(this);
    }
}
