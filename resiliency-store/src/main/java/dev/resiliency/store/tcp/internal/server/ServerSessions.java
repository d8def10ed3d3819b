package dev.resiliency.store.tcp.internal.server;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The live sessions of a server. Its event loop owns it. */
final class ServerSessions {
    private final Map<Long, ServerSession> sessions = new HashMap<>();

    /** Opens a session with its first connection. */
    ServerSession open(ServerState server, ServerConnection connection) {
        ServerSession session = new ServerSession(server, connection);
        sessions.put(session.id(), session);
        return session;
    }

    /** Returns a session; null if it has ended. */
    @Nullable
    ServerSession find(long id) {
        return sessions.get(id);
    }

    void remove(ServerSession session) {
        sessions.remove(session.id());
    }

    boolean isEmpty() {
        return sessions.isEmpty();
    }

    /** Notifies each client that it cannot return. */
    void close() {
        List.copyOf(sessions.values()).forEach(ServerSession::close);
    }
}
