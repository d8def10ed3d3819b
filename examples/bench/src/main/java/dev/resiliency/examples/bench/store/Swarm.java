package dev.resiliency.examples.bench.store;

import dev.resiliency.examples.bench.measure.ProcStatus;
import dev.resiliency.store.tcp.internal.wire.Frames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Many clients of one server, on the calling thread. The code is the same for all servers, so that its own cost is the same
 * for all.
 *
 * <p>It does not sleep while it awaits answers: it simulates clients on other machines, whose wake-ups cost a server
 * nothing. A sleeping thread would be woken by each message of a server that is slightly slower than itself, but by none of
 * a faster one, so that a small difference between servers would look large.
 */
final class Swarm implements AutoCloseable {
    // The kernel drops pending connections beyond the backlog of a server, and retries a second later.
    private static final int MAX_CONNECTING = 1024;
    // While many connect, handshakes proceed in between, like those of independent clients.
    private static final int CONNECTED_AT_ONCE = 64;

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(3);
    private static final int IDLE_LOOKS = 10; // in a row

    private final MeasuredServer server;
    private final Selector selector;
    private final List<Connection> connections = new ArrayList<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(256 << 10);
    private Consumer<Connection> onOver = connection -> {};
    private int busy; // conversations

    /** Creates a swarm without clients for a server. */
    Swarm(MeasuredServer server) throws IOException {
        this.server = server;
        this.selector = Selector.open();
    }

    /** Returns all connections, in order. */
    List<Connection> connections() {
        return connections;
    }

    /** Sets the callback for the end of a conversation. */
    void onOver(Consumer<Connection> listener) {
        onOver = listener;
    }

    /** Opens more connections, and returns when the server has accepted all. */
    void connect(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            connect();
            if (i % CONNECTED_AT_ONCE == 0) {
                poll();
            }
            while (busy >= MAX_CONNECTING) {
                poll();
            }
        }
        finish();
    }

    private void connect() throws IOException {
        SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_LINGER, 0); // frees the port at once
        Connection connection = new Connection(connections.size(), channel);
        connections.add(connection);
        channel.register(selector, SelectionKey.OP_READ, connection);
        begin(connection, server.wire().hello());
    }

    /** Starts a conversation; the previous one must be over. */
    void begin(Connection connection, Step step) {
        busy++;
        try {
            over(connection.enter(step), connection);
        } catch (IOException e) {
            throw new UncheckedIOException(server.toString(), e);
        }
    }

    /**
     * Starts a conversation on each of the first {@code count} connections at once: no answer is read before all have sent
     * their first request, since independent clients would not wait for each other.
     */
    void beginAll(int count, IntFunction<Step> steps) {
        for (int i = 0; i < count; i++) {
            begin(connections.get(i), steps.apply(i));
        }
    }

    private void over(boolean isOver, Connection connection) {
        if (isOver) {
            busy--;
            onOver.accept(connection);
        }
    }

    /** Reads what has arrived. */
    private void poll() throws IOException {
        selector.selectNow(this::react);
    }

    /** Reads what has arrived, or what arrives within this time. */
    void poll(long millis) throws IOException {
        selector.select(this::react, millis);
    }

    private void react(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        try {
            in.clear();
            if (connection.channel().read(in) < 0) {
                throw new IOException("the server closed a connection");
            }
            over(connection.take(in.flip()), connection);
        } catch (IOException e) {
            throw new UncheckedIOException(server.toString(), e);
        }
    }

    /** Waits until all conversations are over. */
    void finish() throws IOException {
        long start = System.nanoTime();
        while (busy > 0) {
            poll();
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IOException("%s: %d clients still wait for an answer after %d s"
                        .formatted(server, busy, LIMIT.toSeconds()));
            }
        }
    }

    /**
     * Lets all clients but one more wait for a change of a key, and that one make it, so often; returns how many nanoseconds it
     * takes each time until all have learned of it.
     *
     * @param prefix of the keys, which must be new
     */
    List<Long> fanOuts(int count, String prefix) throws IOException {
        MeasuredServer.Wire wire = server.wire();
        int waiting = connections.size();
        connect(1);
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String key = prefix + i;
            Step change = wire.change().apply(key);
            beginAll(waiting, client -> wire.awaitChange().apply(key));
            settle();
            long start = System.nanoTime();
            begin(connections.get(waiting), change);
            finish();
            nanos.add(System.nanoTime() - start);
        }
        return nanos;
    }

    /**
     * Waits until the server has processed all requests and the JIT compilers of this process are idle, for a limited time,
     * since background work may continue.
     */
    void settle() throws IOException {
        long start = System.nanoTime();
        int idle = 0;
        while (idle < IDLE_LOOKS && System.nanoTime() - start < SETTLE_LIMIT.toNanos()) {
            poll(2);
            boolean isIdle =
                    server.status().runningThreads() == 0 && ProcStatus.OWN.runningThreads() <= 1; // this thread
            idle = isIdle ? idle + 1 : 0;
        }
    }

    /** Resets all connections, and waits until the server has noticed. */
    @Override
    public void close() throws IOException {
        int open = server.status().descriptors();
        for (Connection connection : connections) {
            connection.channel().close();
        }
        selector.close(); // releases the closed sockets
        long start = System.nanoTime();
        while (server.status().descriptors() > open - connections.size()
                && System.nanoTime() - start < LIMIT.toNanos()) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        connections.clear();
    }

    /** One client: its socket, and its current step of a conversation. */
    static final class Connection {
        private static final long UNKNOWN = -1;
        /** A frame begins with its length, which counts what follows, and its type. */
        private static final int TYPE_AT = Integer.BYTES;

        private static final int SESSION_AT = TYPE_AT + 1 + Long.BYTES + Short.BYTES; // in a WELCOME

        private final int index;
        private final SocketChannel channel;
        private final ByteBuffer head = ByteBuffer.allocate(SESSION_AT + Long.BYTES);
        private @Nullable Step step; // the step whose answer is awaited
        private long restBytes; // of the answer; unknown until its head is complete
        private long session;

        Connection(int index, SocketChannel channel) {
            this.index = index;
            this.channel = channel;
        }

        /** Returns its index among the connections of its swarm. */
        int index() {
            return index;
        }

        SocketChannel channel() {
            return channel;
        }

        /** Returns the id of its session, which a server of ours has given it. */
        long session() {
            return session;
        }

        /** Starts this step; returns whether the conversation is over, without an answer to await. */
        boolean enter(@Nullable Step first) throws IOException {
            for (Step next = first; next != null; next = next.next()) {
                write(next.request());
                if (!next.answers().isEmpty()) {
                    step = next;
                    restBytes = UNKNOWN;
                    head.clear().limit(next.answers().contains(Frames.WELCOME) ? head.capacity() : TYPE_AT + 1);
                    return false;
                }
            }
            step = null;
            return true;
        }

        private void write(ByteBuffer request) throws IOException {
            if (request.hasRemaining() && channel.write(request.duplicate()) < request.remaining()) {
                throw new IOException("the server does not read its input");
            }
        }

        /** Handles received bytes; returns whether the conversation is over. */
        boolean take(ByteBuffer in) throws IOException {
            boolean isOver = false;
            while (in.hasRemaining()) {
                Step current = step;
                if (current == null) {
                    throw new IOException("the server sent %d unexpected bytes".formatted(in.remaining()));
                }
                if (restBytes == UNKNOWN) {
                    readHead(in, current.answers());
                }
                if (restBytes != UNKNOWN) {
                    int skipped = (int) Math.min(restBytes, in.remaining());
                    in.position(in.position() + skipped);
                    restBytes -= skipped;
                }
                if (restBytes == 0) {
                    isOver = enter(current.next());
                }
            }
            return isOver;
        }

        private void readHead(ByteBuffer in, Set<Integer> expected) {
            while (head.hasRemaining() && in.hasRemaining()) {
                head.put(in.get());
            }
            if (head.hasRemaining()) {
                return;
            }
            int type = head.get(TYPE_AT);
            if (!expected.contains(type)) {
                throw new IllegalStateException(
                        "the server sent a frame of type %d instead of one of %s".formatted(type, expected));
            }
            session = type == Frames.WELCOME ? head.getLong(SESSION_AT) : session;
            restBytes = (long) head.getInt(0) + Integer.BYTES - head.limit();
        }
    }
}
