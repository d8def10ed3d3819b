package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Others at the ports of the processes that this one has started, who know no secret: they hold connections to each of them, say a
 * byte now and then, and open others when they are disconnected.
 */
final class Strangers implements AutoCloseable {
    /** The address of this host to which they do not come: that of rings, which stand for a communication library. */
    static final String UNKNOWN = "127.0.0.200";

    /** For each port: more than a process of the job serves at a time that have proved nothing. */
    private static final int HELD = 150;

    private static final int OPENED_AT_ONCE = 10;
    private static final long PAUSE_MILLIS = 50;
    private static final long JOIN_MILLIS = 5_000;
    private static final byte BYTE = 'P'; // as HTTP/2 begins; nothing else here does

    private final Thread thread;
    private final AtomicLong opened = new AtomicLong();
    /** The oldest first. Confined to the thread. */
    private final Map<InetSocketAddress, Deque<SocketChannel>> held = new HashMap<>();

    private volatile boolean isOver; // written by the one who closes

    /** Starts them. */
    Strangers() {
        thread = new Thread(this::run, "strangers");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns how many connections they have opened. */
    long opened() {
        return opened.get();
    }

    private void run() {
        try {
            while (!isOver) {
                look();
                held.forEach(this::press);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            held.values().forEach(connections -> connections.forEach(Strangers::close));
        }
    }

    private void look() {
        Set<InetSocketAddress> ports =
                SocketOwner.listening(ProcessHandle.current().descendants());
        ports.removeIf(port -> port.getHostString().equals(UNKNOWN));
        held.forEach((port, connections) -> {
            if (!ports.contains(port)) {
                connections.forEach(Strangers::close);
            }
        });
        held.keySet().retainAll(ports);
        ports.forEach(port -> held.computeIfAbsent(port, unused -> new ArrayDeque<>()));
    }

    private void press(InetSocketAddress port, Deque<SocketChannel> connections) {
        SocketChannel latest = connections.peekLast();
        if (latest != null) {
            say(latest);
        }
        for (int i = 0; i < OPENED_AT_ONCE; i++) {
            try {
                SocketChannel connection = SocketChannel.open();
                connections.add(connection);
                connection.configureBlocking(false);
                connection.connect(port);
                opened.incrementAndGet();
            } catch (IOException refused) {
                // the process may have ended
            }
        }
        while (connections.size() > HELD) {
            close(connections.remove());
        }
    }

    private static void say(SocketChannel connection) {
        try {
            if (connection.finishConnect()) {
                connection.write(ByteBuffer.wrap(new byte[] {BYTE}));
            }
        } catch (IOException disconnected) {
            // as it should be
        }
    }

    private static void close(SocketChannel connection) {
        try {
            connection.close();
        } catch (IOException e) {
            // gone in any case
        }
    }

    @Override
    public void close() {
        isOver = true;
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
