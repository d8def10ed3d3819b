package dev.resiliency.store.tcp.internal.server;

import dev.resiliency.store.internal.BackgroundLog;
import dev.resiliency.store.internal.Keyspace;
import dev.resiliency.store.internal.RateLimitedLog;
import dev.resiliency.store.internal.Timer;
import dev.resiliency.store.spi.Descriptors;
import dev.resiliency.store.spi.PortGuard;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.internal.wire.Connection;
import dev.resiliency.store.tcp.internal.wire.FlushQueue;
import dev.resiliency.store.tcp.internal.wire.Incoming;
import dev.resiliency.store.tcp.internal.wire.LoopTimer;
import dev.resiliency.store.tcp.internal.wire.Outbox;
import dev.resiliency.store.tcp.internal.wire.ProtocolException;
import dev.resiliency.store.tcp.internal.wire.SendTurns;
import dev.resiliency.store.tcp.internal.wire.TextCache;
import dev.resiliency.store.tcp.internal.wire.Unsent;
import dev.resiliency.store.tcp.internal.wire.WireLimits;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.util.AttributeKey;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The state that the connections of a server share. Its one event loop owns all of it. */
public final class ServerState {
    private static final Duration TIME_TO_PROVE = Duration.ofSeconds(10);
    /** How often a server looks at the clock in the time for which it may stand still. */
    private static final int LOOKS = 10;

    private static final AttributeKey<PortGuard.Place> PLACE = AttributeKey.valueOf(PortGuard.class, "place");

    private final EventLoop loop;
    private final ServerSettings settings;
    private final RateLimitedLog warnings;
    private final LoopTimer timer;
    private final FlushQueue flushes;
    private final SendTurns sendTurns;
    private final Unsent unsent;
    private final Incoming incoming;
    private final TextCache texts = new TextCache();
    private Keyspace keyspace;
    private @Nullable PyTorchWaits pytorch;
    private final ServerSessions sessions = new ServerSessions();
    private final AbandonedSessions abandoned;
    private final Set<Connection> connections = new LinkedHashSet<>();
    private final Descriptors descriptors;
    private final PortGuard guard;

    private final CompletableFuture<Void> empty = new CompletableFuture<>();
    private long requests;
    private boolean isEnding;
    /** Whether a task is scheduled that ends the connections whose time is over. */
    private boolean isExpiryDue;

    /** @param descriptors those of the process, which all of its ports share */
    public ServerState(EventLoop loop, ServerSettings settings, Descriptors descriptors) {
        this.loop = loop;
        this.settings = settings;
        this.descriptors = descriptors;
        this.timer = new LoopTimer(loop);
        this.guard = new PortGuard(
                descriptors,
                (int) Math.min(Integer.MAX_VALUE, settings.limits().of(StoreLimit.CONNECTIONS)),
                1,
                TIME_TO_PROVE,
                timer::nanoTime);
        this.warnings = new RateLimitedLog(BackgroundLog.of(ServerConnection.class), timer::nanoTime);
        this.flushes = new FlushQueue(loop);
        this.sendTurns = new SendTurns(loop);
        this.abandoned = new AbandonedSessions(loop);
        long heap = Runtime.getRuntime().maxMemory();
        this.unsent = new Unsent(heap, largestFrame());
        this.incoming = new Incoming(heap, largestFrame());
        begin();
    }

    private void begin() {
        keyspace = new Keyspace(timer, settings.limits());
        pytorch = settings.speaksPyTorch() ? new PyTorchWaits(keyspace) : null;
    }

    Timer.Alarm schedule(Duration delay, Runnable task) {
        return timer.schedule(delay, task);
    }

    public ServerSettings settings() {
        return settings;
    }

    public Keyspace keyspace() {
        assert loop.inEventLoop();
        return keyspace;
    }

    /** Returns the state that PyTorch's clients share; null if none are admitted. */
    @Nullable
    PyTorchWaits pytorch() {
        return pytorch;
    }

    ServerSessions sessions() {
        assert loop.inEventLoop();
        return sessions;
    }

    AbandonedSessions abandoned() {
        assert loop.inEventLoop();
        return abandoned;
    }

    public FlushQueue flushes() {
        return flushes;
    }

    /** Returns the count of what is still to be sent. */
    public Unsent unsent() {
        return unsent;
    }

    /** Returns the room for large frames that arrive. */
    Incoming incoming() {
        return incoming;
    }

    /** Creates the outbox of a connection, which writes from this handler on. */
    Outbox newOutbox(ChannelHandlerContext context) {
        return new Outbox(context, sendTurns, unsent, settings.limits().of(StoreLimit.UNWRITTEN_BYTES), largestFrame());
    }

    private long largestFrame() {
        return WireLimits.of(settings.limits()).frameBytes();
    }

    TextCache texts() {
        return texts;
    }

    public void countRequest() {
        requests++;
    }

    public Statistics statistics() {
        return new Statistics(connections.size(), keyspace().holdings(), requests);
    }

    /** Returns the log of warnings about clients. */
    public RateLimitedLog warnings() {
        return warnings;
    }

    /** Returns whether there is a place for one more connection; closes it if not. */
    @SuppressWarnings("FutureReturnValueIgnored") // no one waits for the close
    boolean admit(Channel channel) {
        PortGuard.Place place = guard.admit(reason -> end(channel, reason));
        if (place == null) {
            warnings.warn(
                    "Closed the connection of {}: {} are open, which is {}",
                    channel.remoteAddress(),
                    connections.size(),
                    guard.most() < settings.limits().of(StoreLimit.CONNECTIONS)
                            ? "all that may be: " + descriptors
                            : settings.limits().describe(StoreLimit.CONNECTIONS));
            channel.close();
            return false;
        }
        channel.attr(PLACE).set(place);
        channel.closeFuture().addListener(closed -> place.free());
        awaitExpiry();
        return true;
    }

    /** Called by any thread: the connection may have to give way to one at another port. */
    @SuppressWarnings("FutureReturnValueIgnored") // no one waits for the close
    private void end(Channel channel, String reason) {
        if (loop.inEventLoop()) {
            channel.pipeline().fireExceptionCaught(new ProtocolException(reason));
            channel.close(); // if it was turned away, and has not read that
        } else {
            loop.execute(() -> end(channel, reason));
        }
    }

    private void awaitExpiry() {
        if (!isExpiryDue) {
            isExpiryDue = true;
            schedule(guard.untilExpiry(), () -> {
                isExpiryDue = false;
                guard.expire();
                if (!connections.isEmpty()) {
                    awaitExpiry();
                }
            });
        }
    }

    /** Makes room for a connection that could not be accepted. */
    void makeRoom() {
        guard.makeRoom();
    }

    public void opened(Connection connection) {
        assert loop.inEventLoop();
        connections.add(connection);
    }

    /** Notes that the connection of a channel has completed its handshake. */
    void completedHandshake(Channel channel) {
        assert loop.inEventLoop();
        PortGuard.Place place = channel.attr(PLACE).get();
        if (place != null) {
            place.proved();
        }
    }

    public void closed(Connection connection) {
        assert loop.inEventLoop();
        connections.remove(connection);
        completeIfEmpty();
    }

    void ended(ServerSession session) {
        assert loop.inEventLoop();
        sessions.remove(session);
        completeIfEmpty();
    }

    /**
     * Completes when all connections are closed and no session is left whose client may return.
     *
     * @param patience how long to wait for further clients while there are none
     */
    CompletableFuture<Void> awaitEmpty(Duration patience) {
        try {
            schedule(patience, () -> {
                isEnding = true;
                completeIfEmpty();
            });
        } catch (RejectedExecutionException ended) {
            empty.complete(null); // the server is closed, and all connections with it
        }
        return empty;
    }

    private void completeIfEmpty() {
        if (isEnding && connections.isEmpty() && sessions.isEmpty()) {
            empty.complete(null);
        }
    }

    /**
     * Starts anew, empty, whenever the process has stood still for so long. What has arrived meanwhile may be handled before, but nobody
     * gets an answer to an answer.
     */
    void forgetAfter(Duration standstill) {
        Duration pause = standstill.dividedBy(LOOKS);
        long due = timer.nanoTime() + pause.toNanos();
        schedule(pause, () -> {
            long late = timer.nanoTime() - due;
            if (late > standstill.minus(pause).toNanos()) {
                warnings.warn(
                        "This store stood still for {} s: its clients may have gone on with another one, so it forgets all that it has",
                        Duration.ofNanos(late).toSeconds());
                endSessions();
                abandoned.forget();
                begin();
            }
            forgetAfter(standstill);
        });
    }

    /** Closes all connections. Their sessions end with the server, so no last wills are carried out. */
    public void closeConnections() {
        empty.complete(null); // releases whoever waits
        endSessions();
    }

    private void endSessions() {
        keyspace().close();
        sessions.close();
        List.copyOf(connections).forEach(Connection::close);
    }
}
