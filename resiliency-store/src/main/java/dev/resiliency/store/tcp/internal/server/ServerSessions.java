package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.Value;
import dev.resiliency.store.tcp.internal.wire.SessionTokens;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sessions of a server that have not ended. Its event loop owns it. */
final class ServerSessions {
    private final Map<Long, ServerSession> sessions = new HashMap<>();
    private final SessionTokens tokens = new SessionTokens();

    /** Opens a session, whose first connection this is. */
    ServerSession open(ServerState server, ServerConnection connection) {
        ServerSession session = new ServerSession(server, connection);
        sessions.put(session.id(), session);
        return session;
    }

    /** What the client must show to carry it on. */
    Value tokenOf(ServerSession session) {
        return tokens.of(session.id());
    }

    /** Whether it is, or was, a session of this server, and whoever asks its client. */
    boolean isMine(long id, Value token) {
        return tokens.isMine(id, token);
    }

    /** Null if it has ended. */
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

    /** Says to each client that there is nothing to come back to. */
    void close() {
        List.copyOf(sessions.values()).forEach(ServerSession::close);
    }
}
