package dev.resiliency.store.tcp.internal.wire;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Lets the outboxes of a server send in turn, a piece each, and the rest of the server between the turns: however much
 * there is to send, all clients receive some of it all the time, and requests are answered meanwhile. The event loop
 * owns it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a turn does not fail
public final class SendTurns {
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventLoop loop;
    private final Queue<Outbox> ready = new ArrayDeque<>();
    private boolean isScheduled;

    public SendTurns(EventLoop loop) {
        this.loop = loop;
    }

    /** Adds an outbox that has something to send, and is not listed yet. */
    void add(Outbox outbox) {
        ready.add(outbox);
        if (!isScheduled) {
            isScheduled = true;
            loop.execute(this::turn);
        }
    }

    private void turn() {
        long start = loop.ticker().nanoTime();
        Outbox next = ready.poll();
        while (next != null) {
            next.sendPiece();
            next = loop.ticker().nanoTime() - start < TURN_NANOS ? ready.poll() : null;
        }
        isScheduled = !ready.isEmpty();
        if (isScheduled) {
            // Scheduled, as the loop would execute a task before it looks at the connections.
            loop.schedule(this::turn, 1, TimeUnit.NANOSECONDS);
        }
    }
}
