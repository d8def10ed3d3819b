package dev.resiliency.inprocess.spi.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves native code of this process on the loopback interface, each connection on a thread of its own. Only this process
 * is meant to connect: processes of other users are refused.
 *
 * <p>Locking: the monitor of this object guards the connections and whether it is closed.
 *
 * @since 0.1.0
 */
public final class LoopbackServer implements AutoCloseable {
    static final Logger LOG = LoggerFactory.getLogger(LoopbackServer.class);

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int BACKLOG = 16;
    private static final Duration END_LIMIT = Duration.ofSeconds(2);

    private final String name;
    private final Predicate<Socket> isAllowed;
    private final Service service;
    private final ServerSocket server;
    private final Thread accepting = new Thread(this::accept);
    private final Map<Thread, Socket> connections = new HashMap<>();
    private boolean isClosed;

    /** Serves one connection. */
    @FunctionalInterface
    public interface Service {
        /** Returns what serves it until it ends, and then closes its socket. */
        Runnable serve(Socket socket) throws IOException;
    }

    private LoopbackServer(String name, Predicate<Socket> isAllowed, Service service) throws IOException {
        this.name = name;
        this.isAllowed = isAllowed;
        this.service = service;
        server = new ServerSocket(0, BACKLOG, InetAddress.getByAddress(LOOPBACK));
    }

    /**
     * Starts a server on a free port.
     *
     * @param name of its threads
     * @param isAllowed decides on each connection whether it is served, such as {@link LocalUser#owns}
     */
    public static LoopbackServer start(String name, Predicate<Socket> isAllowed, Service service) throws IOException {
        LoopbackServer started = new LoopbackServer(name, isAllowed, service);
        started.accepting.setName(name);
        started.accepting.setDaemon(true);
        started.accepting.start();
        return started;
    }

    /** Returns the address, in numbers. */
    public String host() {
        return server.getInetAddress().getHostAddress();
    }

    /** Returns the port. */
    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                if (isAllowed.test(socket)) {
                    serve(socket);
                } else {
                    LOG.warn(
                            "refused {}, a process of another user, at the port of {}",
                            socket.getRemoteSocketAddress(),
                            name);
                    socket.close();
                }
            }
        } catch (IOException closed) {
            LOG.debug("{} accepts no more connections: {}", name, closed.toString());
        }
    }

    private synchronized void serve(Socket socket) throws IOException {
        if (isClosed) {
            socket.close();
            return;
        }
        SocketAddress client = socket.getRemoteSocketAddress();
        Runnable serving = service.serve(socket);
        Thread thread = new Thread(() -> run(serving), name + client);
        connections.put(thread, socket);
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Runnable serving) {
        try {
            serving.run();
        } finally {
            synchronized (this) {
                connections.remove(Thread.currentThread());
            }
        }
    }

    /** Ends all connections at once, and accepts no more. Does not wait for the threads, which it interrupts. */
    public synchronized void abort() throws IOException {
        isClosed = true;
        server.close();
        for (Socket socket : connections.values()) {
            socket.close();
        }
        connections.keySet().forEach(Thread::interrupt); // out of the store
    }

    /** As {@link #abort}, and waits for the threads, for a limited time; returns earlier if it is interrupted. */
    @Override
    public void close() {
        try {
            abort();
            List<Thread> ending = new ArrayList<>(List.of(accepting));
            synchronized (this) {
                ending.addAll(connections.keySet());
            }
            long deadline = System.nanoTime() + END_LIMIT.toNanos();
            for (Thread thread : ending) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            }
        } catch (IOException e) {
            LOG.warn("{} cannot be closed", name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
