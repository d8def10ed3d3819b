package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.internal.KeyspaceSession;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * The sessions whose clients are gone, and whose last wills are still to be carried out. That begins when the event loop
 * has noticed all connections that were closed by then, and goes on in parts, between which it serves the others. The
 * event loop owns it.
 *
 * <p>The clients of a job often die together, and watch each other. Were each last will carried out as soon as its
 * connection has closed, n dead clients would be sent n² changes, from whose weight the server would die as well.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a part does not fail
final class AbandonedSessions {
    /** So many changes may wait at once for a client that lives, until it acknowledges them. */
    static final int PART = 64;

    private final EventLoop loop;
    private final Queue<KeyspaceSession> sessions = new ArrayDeque<>();
    private boolean isScheduled;

    AbandonedSessions(EventLoop loop) {
        this.loop = loop;
    }

    /** Adds a session to which nothing is sent any more. */
    void add(KeyspaceSession session) {
        sessions.add(session);
        if (!isScheduled) {
            isScheduled = true;
            loop.execute(this::endSome); // runs after all channels that were ready have been read
        }
    }

    /** Carries out none of their last wills. */
    void forget() {
        sessions.clear();
    }

    private void endSome() {
        for (int i = 0; i < PART && !sessions.isEmpty(); i++) {
            sessions.remove().abandon();
        }
        isScheduled = !sessions.isEmpty();
        if (isScheduled) {
            // Scheduled, as the loop would execute a task before it looks at the connections.
            loop.schedule(this::endSome, 1, TimeUnit.NANOSECONDS);
        }
    }
}
