package dev.resiliency.store.tcp.internal;

import dev.resiliency.store.internal.Keyspace;
import dev.resiliency.store.internal.Nanos;
import dev.resiliency.store.internal.Timer;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/** What the connections of a server share. Its one event loop owns all of it. */
final class ServerState {
    private final EventLoop loop;
    private final String scope;
    private final @Nullable SecretKey secret;
    private final FlushQueue flushes;
    private final Keyspace keyspace;
    private final @Nullable PyTorchWaits pytorch;
    private final Set<Connection> connections = new LinkedHashSet<>();
    private final CompletableFuture<Void> empty = new CompletableFuture<>();
    private long requests;
    private boolean isEnding;

    ServerState(EventLoop loop, String scope, @Nullable SecretKey secret, boolean speaksPyTorch) {
        this.loop = loop;
        this.scope = scope;
        this.secret = secret;
        this.flushes = new FlushQueue(loop);
        this.keyspace = new Keyspace(this::schedule);
        this.pytorch = speaksPyTorch ? new PyTorchWaits() : null;
    }

    private Timer.Alarm schedule(Duration delay, Runnable task) {
        Future<?> scheduled = loop.schedule(task, Nanos.of(delay), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    String scope() {
        return scope;
    }

    /** What clients must know; null: nothing. */
    @Nullable
    SecretKey secret() {
        return secret;
    }

    Keyspace keyspace() {
        assert loop.inEventLoop();
        return keyspace;
    }

    /** What PyTorch's clients share; null if none are let in. */
    @Nullable
    PyTorchWaits pytorch() {
        return pytorch;
    }

    FlushQueue flushes() {
        return flushes;
    }

    void countRequest() {
        requests++;
    }

    Statistics statistics() {
        return new Statistics(connections.size(), keyspace().keyCount(), requests);
    }

    void opened(Connection connection) {
        assert loop.inEventLoop();
        connections.add(connection);
    }

    void closed(Connection connection) {
        assert loop.inEventLoop();
        connections.remove(connection);
        completeIfEmpty();
    }

    /** No connection comes any more. Completes when the last has gone. */
    CompletableFuture<Void> awaitEmpty() {
        loop.execute(() -> {
            isEnding = true;
            completeIfEmpty();
        });
        return empty;
    }

    private void completeIfEmpty() {
        if (isEnding && connections.isEmpty()) {
            empty.complete(null);
        }
    }

    /** Closes all connections. Their sessions end with the server: nobody's last will is carried out. */
    void closeConnections() {
        keyspace().close();
        List.copyOf(connections).forEach(Connection::close);
    }
}
