package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The network between the processes of one rank and the store, which can fail without either side being told: a proxy
 * whose connections then stay open and deliver nothing. All of its threads are daemons.
 */
final class RankNetwork implements AutoCloseable {
    private static final int CHUNK = 16 << 10;
    private static final int BACKLOG = 50;
    private static final Duration POLL = Duration.ofMillis(2);

    private final int storePort;
    private final ServerSocket listener;
    /** Written by the thread of the job, read by all others. */
    private volatile @Nullable Failure failure;
    /** Whether the store has ever accepted a connection: if it refuses one later, it is gone for good. */
    private volatile boolean hasReached;

    /** An outage, and when it begins and ends: its times are those of {@link System#nanoTime}. */
    private record Failure(Outage outage, long start) {
        /** Returns whether it holds up a connection that was opened at this time, at another one. */
        boolean lasts(long now, long opened) {
            Duration silence = opened - start < 0 ? outage.silence() : outage.length();
            return now - start >= 0 && now - start < silence.toNanos();
        }
    }

    /** Creates a network to the store at this port. */
    RankNetwork(int storePort) throws IOException {
        this.storePort = storePort;
        this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        daemon("accept", this::accept);
    }

    /** Returns the port that the rank connects to. */
    int port() {
        return listener.getLocalPort();
    }

    /** Fails from this {@link System#nanoTime} on, now or later. An earlier failure must be over. */
    void fail(Outage outage, long start) {
        failure = new Failure(outage, start);
    }

    /** One connection of the rank, and the one to the store that belongs to it. */
    private final class Link {
        private final Socket client;
        private final long opened = System.nanoTime();

        Link(Socket client) {
            this.client = client;
        }

        void open() throws IOException, InterruptedException {
            try (client) {
                awaitPassage(Outage.Direction.TO_STORE);
                try (Socket store = new Socket(InetAddress.getLoopbackAddress(), storePort)) {
                    hasReached = true;
                    client.setTcpNoDelay(true);
                    store.setTcpNoDelay(true);
                    Thread answers = daemon("from-store", () -> pump(store, client, Outage.Direction.FROM_STORE));
                    pump(client, store, Outage.Direction.TO_STORE);
                    answers.join();
                }
            } catch (ConnectException refused) {
                if (hasReached) {
                    listener.close(); // so that the rank is refused as well
                }
            }
        }

        /** An end is passed on as well; if the connection broke, both ends break. */
        private void pump(Socket from, Socket to, Outage.Direction way) throws IOException {
            byte[] chunk = new byte[CHUNK];
            try {
                for (int read = 0; read >= 0; read = from.getInputStream().read(chunk)) {
                    awaitPassage(way);
                    to.getOutputStream().write(chunk, 0, read);
                }
                awaitPassage(way);
                to.shutdownOutput();
            } catch (IOException broken) {
                awaitPassage(way);
                from.close();
                to.close();
            }
        }

        private void awaitPassage(Outage.Direction way) {
            while (failure != null && failure.outage.holds(way) && failure.lasts(System.nanoTime(), opened)) {
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    private void accept() throws IOException {
        while (true) {
            Link link = new Link(listener.accept());
            daemon("to-store", link::open);
        }
    }

    /** Accepts no more connections. Those that are open end with the rank or with the store. */
    @Override
    public void close() throws IOException {
        listener.close();
    }

    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private static Thread daemon(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException | InterruptedException ended) {
                        // As when either side closes; nobody interrupts this thread.
                    }
                },
                "network-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
