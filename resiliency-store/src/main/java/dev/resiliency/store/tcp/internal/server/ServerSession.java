package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.Change;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.BackgroundLog;
import dev.resiliency.store.internal.KeyspaceSession;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.internal.SessionOutput;
import dev.resiliency.store.internal.Timer;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.internal.wire.FailureCodec;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.OperationCodec;
import dev.resiliency.store.tcp.internal.wire.ProtocolException;
import dev.resiliency.store.tcp.internal.wire.ResultCodec;
import dev.resiliency.store.tcp.internal.wire.Unacknowledged;
import dev.resiliency.store.tcp.internal.wire.WireLimits;
import dev.resiliency.store.tcp.internal.wire.WireReader;
import dev.resiliency.store.tcp.internal.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of a session: it passes requests to the keyspace, and sends the keyspace's output as frames. If the
 * client has sent {@link Frames#KEEP}, the session outlives a connection that falls silent, and waits for the client to
 * return over another. The server's event loop owns it.
 */
final class ServerSession implements SessionOutput {
    private static final BackgroundLog LOG = BackgroundLog.of(ServerSession.class);
    // A client acknowledges far more often.
    private static final int MAX_KEPT_FRAMES = 16_384;

    private static final Duration LONGEST_GRACE = Duration.ofMinutes(10);

    private final ServerState server;
    private final KeyspaceSession session;
    private final WireLimits limits;
    private final Unacknowledged sent;
    private @Nullable ServerConnection connection;
    private Duration grace = Duration.ZERO; // null: the session ends with its connection
    private Timer.@Nullable Alarm graceAlarm;
    private long received;
    private long lastAttempt;
    private boolean isOver;

    ServerSession(ServerState server, ServerConnection connection) {
        this.server = server;
        this.connection = connection;
        Limits limits = server.settings().limits();
        this.limits = WireLimits.of(limits);
        this.sent = new Unacknowledged(limits.of(StoreLimit.UNWRITTEN_BYTES), MAX_KEPT_FRAMES);
        this.session = server.keyspace().open(this);
    }

    long id() {
        return session.id();
    }

    /** Returns the token that the client must present to resume the session. */
    Value token() {
        return session.token();
    }

    // --- frames of the client

    /** A listener of the client, by its id on the wire. */
    private record RemoteListener(ServerSession session, long id, boolean ofPrefix) implements Consumer<Change> {
        @Override
        public void accept(Change change) {
            session.send(
                    Frames.PUSH,
                    id,
                    body -> ResultCodec.writeChange(change, ofPrefix ? body.text(change.key()) : body));
        }
    }

    Consumer<Change> listener(long id, boolean ofPrefix) {
        return new RemoteListener(this, id, ofPrefix);
    }

    void request(long id, WireReader body) {
        received++;
        server.countRequest();
        var timeout = body.duration();
        try {
            int bytes = body.remaining();
            var operations = OperationCodec.readAll(body);
            body.end();
            session.submit(id, operations, body.listEntries(), bytes, timeout);
        } catch (StoreRequestException overLimit) {
            if (id != KeyspaceSession.ONE_WAY) {
                fail(id, overLimit);
            }
        } catch (IllegalArgumentException impossible) {
            throw new ProtocolException(String.valueOf(impossible.getMessage()));
        }
    }

    void cancel(long id) {
        received++;
        session.cancel(id);
    }

    void goodbye() {
        session.close();
        release();
    }

    /** Keeps the session for this long when its connection is lost without a sign from the client's kernel. */
    void keep(Duration requested) {
        grace = requested.compareTo(LONGEST_GRACE) > 0 ? LONGEST_GRACE : requested;
    }

    /** Returns how many frames of the session have arrived. */
    long ping() {
        session.renew();
        return received;
    }

    void acknowledge(long position) {
        session.renew();
        sent.acknowledge(position);
    }

    // --- the connection

    /** Continues over another connection. However the previous one ends, it no longer triggers the last will. */
    void resume(ServerConnection next, long attempt, long position) {
        if (attempt <= lastAttempt) {
            // It was delayed, and the client has meanwhile given up on it and returned over a third connection.
            next.close();
            return;
        }
        lastAttempt = attempt;
        acknowledge(position);
        ServerConnection before = connection;
        connection = next;
        if (before != null) {
            before.close();
        }
        if (!sent.isKeptFrom(position)) {
            next.sendLast(
                    Frames.EXPIRED,
                    body -> body.text(
                            "the session has ended: when the connection was lost, more was in flight than the store keeps"));
            abandon();
            return;
        }
        cancelGrace();
        LOG.debug("Session {} continues over a new connection", id());
        next.write(Frames.RESUMED, received, nothing -> {});
        sent.resend(next::write);
    }

    /** Handles the end of a connection whose client is gone as well. */
    void ended(ServerConnection gone) {
        if (connection == gone) {
            abandon();
        }
    }

    /** Handles the loss of a connection whose client may still be alive. */
    void silent(ServerConnection gone) {
        if (connection != gone) {
            return;
        }
        connection = null;
        if (grace.isZero()) {
            abandon();
        } else if (!session.hasLease()) {
            graceAlarm = server.schedule(grace, this::abandon);
        }
    }

    private void abandon() {
        release();
        server.abandoned().add(session);
    }

    /** Ends with the server: see {@link dev.resiliency.store.internal.Keyspace#close}. */
    void close() {
        ServerConnection open = connection;
        release();
        if (open != null) {
            open.sendLast(Frames.CLOSING, nothing -> {});
        }
    }

    private void release() {
        isOver = true;
        connection = null;
        cancelGrace();
        sent.clear();
        server.ended(this);
    }

    private void cancelGrace() {
        if (graceAlarm != null) {
            graceAlarm.cancel();
        }
    }

    // --- output of the keyspace

    @Override
    public void reply(long request, List<@Nullable Object> results) {
        if (connection != null && connection.isBehind()) {
            fail(
                    request,
                    new StoreRequestException("the client has not read earlier answers, over " + describeUnread()));
            return;
        }
        try {
            send(Frames.REPLY, request, body -> ResultCodec.writeAll(results, body));
        } catch (StoreRequestException tooLarge) {
            fail(request, tooLarge);
        }
    }

    @Override
    public void fail(long request, StoreException failure) {
        try {
            send(Frames.FAILURE, request, body -> FailureCodec.write(failure, body));
        } catch (StoreRequestException tooLarge) {
            giveUp("a failure cannot be delivered: " + tooLarge.getMessage());
        }
    }

    @Override
    public void tell(Consumer<? super Change> listener, Change change) {
        // A push answers no request that could fail instead, so a client that does not read can only be disconnected.
        if (connection != null && connection.isBehind()) {
            connection.refuse("it does not read the changes of its watches, over " + describeUnread());
            return;
        }
        try {
            listener.accept(change); // a RemoteListener
        } catch (StoreRequestException tooLarge) {
            // The change stands, and other sessions are still to be notified after this one.
            giveUp("a change cannot be delivered: " + tooLarge.getMessage());
        }
    }

    private String describeUnread() {
        return server.settings().limits().describe(StoreLimit.UNWRITTEN_BYTES);
    }

    @Override
    public void probe() {
        if (connection == null) {
            return;
        }
        if (connection.isHeld()) {
            session.renew(); // it is not the client who is silent
        } else {
            connection.write(Frames.PROBE, 0, nothing -> {});
        }
    }

    @Override
    public void expired(SessionExpiredException reason) {
        String message = String.valueOf(reason.getMessage());
        ServerConnection open = connection;
        release();
        if (open == null) {
            server.warnings().warn("Ended session {}, which is unreachable: {}", id(), message);
        } else {
            server.warnings().warn("Ended session {} of {}: {}", id(), open.client(), message);
            open.sendLast(Frames.EXPIRED, body -> body.text(message));
        }
    }

    private void send(int type, long id, Consumer<WireWriter> body) {
        if (isOver) {
            return;
        }
        try {
            ByteBuf frame = Frames.frame(ByteBufAllocator.DEFAULT, limits, type, id, body);
            if (type == Frames.REPLY) {
                checkRoom(frame);
            }
            if (!grace.isZero()) {
                sent.add(frame);
            }
            if (connection == null) {
                frame.release();
            } else {
                connection.write(frame);
            }
        } catch (OutOfMemoryError full) {
            giveUp("out of memory for what it is to be sent: " + full.getMessage());
        }
    }

    /** Releases and refuses an answer for which there is no room; a change or a failure must be sent all the same. */
    private void checkRoom(ByteBuf answer) {
        boolean isRefused = true;
        try {
            server.unsent().check(answer);
            isRefused = false;
        } finally {
            if (isRefused) {
                answer.release();
            }
        }
    }

    /** Ends the session because a change cannot be delivered to its client. */
    private void giveUp(String why) {
        if (connection != null) {
            connection.refuse(why);
        }
        abandon();
    }
}
