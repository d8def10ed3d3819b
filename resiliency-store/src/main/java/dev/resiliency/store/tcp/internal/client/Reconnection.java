package dev.resiliency.store.tcp.internal.client;

import dev.resiliency.store.internal.Nanos;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import dev.resiliency.store.tcp.internal.wire.Frames;
import dev.resiliency.store.tcp.internal.wire.ProtocolException;
import dev.resiliency.store.tcp.internal.wire.WireReader;
import io.netty.util.concurrent.Future;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the connection of a session: gets another one when it ends or falls silent. The client's event loop owns
 * it.
 *
 * <p>A connection that fell silent is closed only once the session has another. If the end of the first still reached
 * the server, it would take it for the death of the client and end the session.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class Reconnection implements ClientConnection.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(Reconnection.class);
    /** The time for which a server may leave the client waiting before it is probed, and the time for its answer. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(3);
    /** A silence is noticed while most of the grace time is left. */
    private static final int SILENCES_PER_GRACE = 10;
    // A connection attempt whose packets are lost is repeated sooner than the kernel would repeat them.
    private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(3);
    // The connection has ended and nothing listens: the server's process is gone, and its contents with it.
    private static final Duration LONGEST_REFUSALS = Duration.ofMillis(20);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Endpoint endpoint;
    private final Dialer dialer;
    private final ClientSession session;
    private final ClientConnection.Greeting greeting;
    private final Duration silenceLimit;
    private final List<ClientConnection> silent = new ArrayList<>();
    private @Nullable ClientConnection connection; // null while the session has none
    private @Nullable ClientConnection candidate; // has been asked to resume the session
    private @Nullable CompletableFuture<ClientConnection> dialing;
    private @Nullable Throwable cause; // why the last connection was lost
    private @Nullable Future<?> look; // null while the server owes nothing
    private Duration grace;
    private long deadline;
    private long attempts;
    private boolean hasHeard;
    private long readsBefore; // how often something had arrived when the silence began to be watched
    private boolean hasAsked;
    private Duration lease = Duration.ZERO; // of the session; zero for none
    private boolean isProbed; // the server asks for signs of life
    private boolean isLooking; // after the next lease
    private boolean isOverdue; // nothing has arrived for a lease
    private boolean isOver;

    Reconnection(Endpoint endpoint, Dialer dialer, ClientConnection first, Duration grace, ClientSession session) {
        this.endpoint = endpoint;
        this.dialer = dialer;
        this.grace = grace;
        this.session = session;
        this.greeting = first.greeting();
        this.connection = first;
        first.belongTo(this);
        this.silenceLimit = Dialer.shorter(grace.dividedBy(SILENCES_PER_GRACE), LONGEST_SILENCE);
    }

    /** Returns the session's connection; null while it has none. */
    @Nullable
    ClientConnection connection() {
        return connection;
    }

    /**
     * Keeps trying to reconnect for as long as the session may live without a connection, and from now on notices within a lease that
     * the server is silent.
     */
    void outlast(Duration leaseOfSession) {
        lease = leaseOfSession;
        if (!grace.isZero()) {
            if (lease.compareTo(grace) > 0) {
                grace = lease;
            }
            lookWithinLease();
        }
    }

    /** The server has asked for a sign of life, as it does within each lease of a session that is silent. */
    void probed() {
        isProbed = true;
        if (!grace.isZero()) {
            lookWithinLease();
        }
    }

    private void lookWithinLease() {
        if (!isLooking) {
            isLooking = true;
            lookAfterLease();
        }
    }

    /**
     * Asks the server for a sign of life if none has arrived for a lease. If it gives one although it has asked for none in that time,
     * others renew the lease of this session, which then sends nothing more.
     */
    private void lookAfterLease() {
        ClientConnection current = connection;
        long reads = current == null ? 0 : current.reads();
        dialer.eventLoop()
                .schedule(
                        () -> {
                            if (isOver) {
                                return;
                            }
                            boolean isSilent = current != null && current == connection && current.reads() == reads;
                            if (isSilent) {
                                isOverdue = true;
                                watchSilence();
                            }
                            isLooking = isProbed || !isSilent;
                            if (isLooking) {
                                lookAfterLease();
                            }
                        },
                        Nanos.of(lease),
                        TimeUnit.NANOSECONDS);
    }

    /** Watches for a server that is silent although it owes an answer, or a sign of life. */
    void watchSilence() {
        if (look == null && connection != null && !grace.isZero()) {
            hasHeard = false;
            readsBefore = connection.reads();
            look = dialer.eventLoop().schedule(this::look, silenceLimit.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void look() {
        look = null;
        ClientConnection current = connection;
        if (current == null || !(session.isWaiting() || isOverdue)) {
            hasAsked = false;
            return;
        }
        // A part of a large frame is a sign of life as well: many clients may be sent one at the same time.
        if (hasHeard || current.reads() != readsBefore) {
            hasAsked = false;
            isOverdue = false;
        } else if (!hasAsked) {
            hasAsked = true;
            current.write(Frames.PING, 0, nothing -> {});
        } else {
            silent.add(current);
            connection = null;
            reconnect(new SocketTimeoutException(
                    "the server was silent for %s s".formatted(2 * silenceLimit.toMillis() / 1000.0)));
            return;
        }
        watchSilence();
    }

    @Override
    public void hear(ClientConnection from, Frames.Header header, WireReader body, int bytes) {
        if (from == connection) {
            hasHeard = true;
            session.hear(from, header, body, bytes);
        } else if (from == candidate) {
            hearOfSession(from, header, body);
        }
    }

    @Override
    public void ended(ClientConnection ended, @Nullable Throwable how) {
        if (isOver) {
            return;
        }
        if (ended == candidate) {
            candidate = null;
            dialer.eventLoop().schedule(this::dial, PAUSE.toNanos(), TimeUnit.NANOSECONDS);
        } else if (ended == connection) {
            connection = null;
            // A loop that ends closes its channels: a connection in their place would be cut in turn, and to the server
            // that looks as if the client were only unreachable.
            boolean isLoopEnding = dialer.eventLoop().isShuttingDown();
            if (grace.isZero() || session.isClosing() || isLoopEnding || how instanceof ProtocolException) {
                session.lose(() -> endpoint.lost(how));
            } else {
                reconnect(how);
            }
        }
    }

    private void reconnect(@Nullable Throwable how) {
        LOG.info("Lost the connection to the store ({}); reconnecting: {}", endpoint, how(how));
        cause = how;
        hasAsked = false;
        isOverdue = false;
        deadline = System.nanoTime() + Nanos.of(grace);
        dial();
    }

    private static String how(@Nullable Throwable cause) {
        return cause == null ? "the server closed it" : String.valueOf(cause.getMessage());
    }

    private void dial() {
        if (isOver) {
            return;
        }
        Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        CompletableFuture<ClientConnection> dialed =
                dialer.dial(new Dialer.TimeLimits(left, LONGEST_ATTEMPT, Dialer.shorter(left, LONGEST_REFUSALS)));
        dialing = dialed;
        dialed.whenComplete((connected, failed) -> {
            if (isOver) {
                return;
            }
            dialing = null;
            if (failed == null) {
                ask(connected);
            } else {
                session.lose(() -> endpoint.lost(cause, failed));
            }
        });
    }

    /** Asks the server to resume the session over this connection. */
    private void ask(ClientConnection connected) {
        connected.belongTo(this);
        candidate = connected;
        connected.write(
                Frames.RESUME,
                ++attempts,
                body -> body.number(greeting.session())
                        .value(greeting.token())
                        .number(session.received())
                        .duration(grace));
        dialer.eventLoop().schedule(() -> giveUp(connected), LONGEST_ATTEMPT.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void giveUp(ClientConnection asked) {
        if (asked == candidate) {
            silent.add(asked);
            candidate = null;
            dial();
        }
    }

    private void hearOfSession(ClientConnection from, Frames.Header header, WireReader body) {
        switch (header.type()) {
            case Frames.RESUMED -> {
                LOG.info("Reconnected to the store at {}; the session continues", endpoint);
                connection = from;
                candidate = null;
                hasHeard = true;
                closeSilent();
                session.resumed(from, header.id());
            }
            case Frames.EXPIRED -> session.expire(body.text());
            case Frames.REFUSED -> session.lose(() -> endpoint.restarted(cause));
            case Frames.CLOSING -> session.lose(() -> endpoint.lost(cause));
            default ->
                throw new ProtocolException(
                        "a frame of type %d arrived instead of an answer to RESUME".formatted(header.type()));
        }
    }

    private void closeSilent() {
        silent.forEach(ClientConnection::close);
        silent.clear();
    }

    void flush() {
        if (connection != null) {
            connection.flush();
        }
    }

    /** Closes all connections for good. */
    void end() {
        isOver = true;
        if (look != null) {
            look.cancel(false);
        }
        closeSilent();
        if (dialing != null) {
            dialing.cancel(false);
        }
        if (candidate != null) {
            candidate.close();
        }
        if (connection != null) {
            connection.close();
        }
    }
}
