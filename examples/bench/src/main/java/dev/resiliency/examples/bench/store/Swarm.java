package dev.resiliency.examples.bench.store;

import dev.resiliency.examples.bench.ProcStatus;
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
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Many clients of one server, on the thread that calls this. It is the same code for all servers, so that what it takes
 * itself is the same for all.
 *
 * <p>While it awaits answers it does not sleep: it stands for clients on other machines, and to wake one of those costs a
 * server nothing. A thread that slept would be woken by each message of a server that is a little slower than itself, and
 * by none of a faster one's, so that a small difference between servers would look like a large one.
 */
public final class Swarm implements AutoCloseable {
    // More connections on their way than a kernel keeps for a server are dropped, and tried again a second later.
    private static final int MAX_CONNECTING = 1024;
    // While many connect, greetings and answers are exchanged in between, as independent clients would.
    private static final int CONNECTED_AT_ONCE = 64;

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(3);
    private static final int IDLE_LOOKS = 10; // one after another

    private final Target target;
    private final Selector selector;
    private final List<Connection> connections = new ArrayList<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(256 << 10);
    private Consumer<Connection> onOver = connection -> {};
    private int busy; // connections that are being made, and conversations on their way

    /** Of a server; no client is connected yet. */
    public Swarm(Target target) throws IOException {
        this.target = target;
        this.selector = Selector.open();
    }

    /** All that were made, in their order. */
    public List<Connection> connections() {
        return connections;
    }

    /** Is called from now on when a conversation is over. */
    void onOver(Consumer<Connection> listener) {
        onOver = listener;
    }

    /** How many conversations are on their way. */
    int busy() {
        return busy;
    }

    /** Makes more connections, and returns when the server has agreed to all. */
    public void connect(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            connect();
            if (i % CONNECTED_AT_ONCE == 0) {
                poll(Duration.ZERO);
            }
            while (busy >= MAX_CONNECTING) {
                poll(Duration.ZERO);
            }
        }
        finish();
    }

    /**
     * All come from 127.0.0.1, which has ports enough: PyTorch's server looks up the name of each client's address, on its
     * only thread, and no other address of this machine can be relied on to be known without asking elsewhere.
     */
    private void connect() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_LINGER, 0); // leaves no port occupied
        Connection connection =
                new Connection(connections.size(), channel, target.wire().order());
        connections.add(connection);
        boolean isConnected = channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port()));
        SelectionKey key =
                channel.register(selector, isConnected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, connection);
        busy++;
        if (isConnected) {
            greet(key, connection);
        }
    }

    private void greet(SelectionKey key, Connection connection) throws IOException {
        key.interestOps(SelectionKey.OP_READ);
        over(connection.enter(target.wire().hello()), connection);
    }

    /** Begins a conversation; the one before must be over. */
    public void begin(Connection connection, Step step) {
        busy++;
        try {
            over(connection.enter(step), connection);
        } catch (IOException e) {
            throw new UncheckedIOException(target.name(), e);
        }
    }

    /**
     * Begins a conversation with each of the first {@code count} connections, at once: no answer is read before all have
     * sent their first request, for clients of their own would not wait for this thread to send it.
     */
    public void beginAll(int count, IntFunction<Step> steps) {
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

    /** Reads what has come, or what comes within this time. */
    void poll(Duration limit) throws IOException {
        if (limit.isZero()) {
            selector.selectNow(this::react);
        } else {
            selector.select(this::react, limit.toMillis());
        }
    }

    private void react(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        try {
            if (key.isConnectable()) {
                connection.channel().finishConnect();
                greet(key, connection);
                return;
            }
            in.clear();
            if (connection.channel().read(in) < 0) {
                throw new IOException("the server has closed a connection");
            }
            over(connection.take(in.flip()), connection);
        } catch (IOException e) {
            throw new UncheckedIOException(target.name(), e);
        }
    }

    /** Waits until all conversations are over. */
    public void finish() throws IOException {
        long start = System.nanoTime();
        while (busy > 0) {
            poll(Duration.ZERO);
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IOException("%s: %d clients still wait for an answer after %d s"
                        .formatted(target.name(), busy, LIMIT.toSeconds()));
            }
        }
    }

    /**
     * Waits until the server has done all that it was sent, and the compilers of this process all that they had to, for a
     * limited time: background work may go on.
     */
    public void settle() throws IOException {
        long start = System.nanoTime();
        int idle = 0;
        while (idle < IDLE_LOOKS && System.nanoTime() - start < SETTLE_LIMIT.toNanos()) {
            poll(Duration.ofMillis(2));
            boolean isIdle = target.process().isIdle() && ProcStatus.OWN.runningThreads() <= 1; // this one
            idle = isIdle ? idle + 1 : 0;
        }
    }

    /** Cuts all connections, and waits until the server has noticed. */
    @Override
    public void close() throws IOException {
        int open = target.process().descriptors();
        for (Connection connection : connections) {
            connection.channel().close();
        }
        selector.close(); // sockets are closed for good with their keys
        long start = System.nanoTime();
        while (target.process().descriptors() > open - connections.size()
                && System.nanoTime() - start < LIMIT.toNanos()) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
