package dev.resiliency.store.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A proxy between clients and a server on this machine that delays, holds back and cuts connections. All of its threads
 * are daemons; its own monitor guards all fields that are not final.
 */
public final class FaultProxy implements AutoCloseable {
    private static final int CHUNK = 4096;
    // A session is resumed with the fourth piece: hello, welcome, and the two that resume it.
    private static final int MOST_PIECES_SPARED = 32;

    private final int serverPort;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final int port;
    private @Nullable ServerSocket listener;
    private @Nullable Thread acceptor;
    private boolean isHolding;
    private Duration delay = Duration.ZERO;
    private @Nullable Thread schedule;

    /** The ways in which a kernel ends a connection. */
    public enum End {
        /** An orderly shutdown. */
        FIN,
        /** A reset. */
        RST
    }

    /** Creates a proxy of the server at this port. */
    public FaultProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.port = listen(0);
    }

    /** Returns the port that clients connect to. */
    public int port() {
        return port;
    }

    /** Refuses connections until {@link #accept}. */
    public synchronized void refuse() throws IOException, InterruptedException {
        if (listener != null && acceptor != null) {
            listener.close();
            acceptor.join(); // until then the socket keeps listening
            listener = null;
        }
    }

    /** Accepts connections again. */
    public synchronized void accept() throws IOException {
        if (listener == null) {
            listen(port);
        }
    }

    /** Starts or stops holding back all data, like a network that loses every packet. */
    public synchronized void hold(boolean isHolding) {
        this.isHolding = isHolding;
        notifyAll();
    }

    /** Delays each piece by this much. */
    public synchronized void delay(Duration delay) {
        this.delay = delay;
    }

    /** Ends the connections of all clients, which the server does not notice. */
    public void cutClients(End end) {
        links.forEach(link -> link.cutClient(end));
    }

    /** Ends all connections at both ends. */
    public void cutBoth(End end) {
        links.forEach(link -> {
            link.cutClient(end);
            close(link.server, end);
        });
    }

    /**
     * Starts to disconnect clients and to hold them back at random moments that are {@code pause} apart on average,
     * until the proxy is closed. A connection is spared until it has carried a random number of pieces: however slow
     * the machine, some get as far as resuming a session.
     */
    public synchronized void cutClientsAtRandom(long seed, Duration pause) {
        Random random = new Random(seed);
        schedule = start("schedule", () -> {
            while (!Thread.interrupted()) {
                Thread.sleep(1 + random.nextInt((int) (2 * pause.toMillis())));
                if (random.nextInt(4) == 0) {
                    hold(true);
                    Thread.sleep(random.nextInt(5));
                }
                End end = random.nextBoolean() ? End.FIN : End.RST;
                links.forEach(link -> link.cutClientIfDue(random, end));
                hold(false);
            }
        });
    }

    @Override
    public void close() throws IOException {
        Thread running;
        synchronized (this) {
            running = schedule;
        }
        if (running != null) {
            running.interrupt();
        }
        try {
            refuse();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        hold(false);
        cutBoth(End.FIN);
    }

    private synchronized int listen(int wanted) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
        listener = socket;
        acceptor = start("accept", () -> {
            while (true) {
                Link link = new Link(socket.accept(), new Socket(InetAddress.getLoopbackAddress(), serverPort));
                links.add(link);
                start("to-server", () -> link.pump(link.client, link.server));
                start("to-client", () -> link.pump(link.server, link.client));
            }
        });
        return socket.getLocalPort();
    }

    private synchronized Duration awaitPassage() throws InterruptedException {
        while (isHolding) {
            wait();
        }
        return delay;
    }

    /** The two connections between a client and the server. */
    private final class Link {
        private final Socket client;
        private final Socket server;
        private final AtomicInteger pieces = new AtomicInteger(); // passed on in both directions
        private volatile boolean isCut;
        private int piecesSpared = -1; // not drawn yet; belongs to the thread that cuts at random

        Link(Socket client, Socket server) throws IOException {
            this.client = client;
            this.server = server;
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        }

        void cutClient(End end) {
            isCut = true;
            FaultProxy.close(client, end);
        }

        void cutClientIfDue(Random random, End end) {
            if (piecesSpared < 0) {
                piecesSpared = random.nextInt(MOST_PIECES_SPARED + 1);
            }
            if (pieces.get() >= piecesSpared) {
                cutClient(end);
            }
        }

        void pump(Socket from, Socket to) throws InterruptedException {
            byte[] chunk = new byte[CHUNK];
            try {
                InputStream in = from.getInputStream();
                for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                    Thread.sleep(awaitPassage().toMillis());
                    if (!isCut) {
                        handOn(chunk, read, to);
                    }
                }
            } catch (IOException ended) {
                // As after an orderly shutdown.
            }
            if (from == server) {
                links.remove(this);
                FaultProxy.close(server, End.FIN);
                FaultProxy.close(client, End.FIN);
            } else if (!isCut) {
                FaultProxy.close(server, End.FIN);
            }
        }

        private void handOn(byte[] chunk, int length, Socket to) {
            try {
                to.getOutputStream().write(chunk, 0, length);
                pieces.incrementAndGet();
            } catch (IOException gone) {
                // The thread that reads from there knows whether it was cut, in which case the server must not notice.
            }
        }
    }

    private static void close(Socket socket, End end) {
        try {
            if (end == End.RST) {
                socket.setSoLinger(true, 0);
            }
            socket.close();
        } catch (IOException closed) {
            // It is closed.
        }
    }

    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private static Thread start(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException | InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                },
                "fault-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
