package dev.resiliency.pytorch;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.store.Store;
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
 * Serves the protocol of PyTorch's TCPStore on the loopback interface, backed by the store of an iteration. So the ranks
 * meet through that store, with its secret, its TLS and its prefix, and no rank hosts a server for the others.
 *
 * <p>Only this process is meant to connect: processes of other users are refused.
 *
 * <p>Locking: the monitor of this object guards the connections and whether it is closed.
 */
final class StoreBridge {
    static final Logger LOG = LoggerFactory.getLogger(StoreBridge.class);

    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int BACKLOG = 16;
    private static final Duration END_LIMIT = Duration.ofSeconds(2);

    private final Store store;
    private final String prefix;
    private final Predicate<Socket> isAllowed;
    private final ServerSocket server;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<Thread, Socket> connections = new HashMap<>();
    private boolean isClosed;

    private StoreBridge(Store store, String prefix, Predicate<Socket> isAllowed) throws IOException {
        this.store = store;
        this.prefix = prefix;
        this.isAllowed = isAllowed;
        server = new ServerSocket(0, BACKLOG, InetAddress.getByAddress(LOOPBACK));
    }

    /**
     * Starts a bridge to the store of an iteration, for one more group of it.
     *
     * @param backend names the group in messages
     * @throws ProcessGroupException if it cannot be started
     */
    static StoreBridge open(CallWrapper call, String backend) throws InterruptedException {
        int rank = call.state().activeRank();
        Store store = call.store();
        long number = store.add("pytorch/groups-of/" + rank, 1); // the same on all ranks
        try {
            return start(store, "pytorch/group/" + number, LocalUser::owns);
        } catch (IOException e) {
            throw new ProcessGroupException(
                    rank, backend, "cannot listen on the loopback interface: " + e.getMessage(), e);
        }
    }

    /**
     * Starts a bridge on a free port.
     *
     * @param prefix of the keys in the store
     * @param isAllowed decides on each connection whether it is served
     */
    static StoreBridge start(Store store, String prefix, Predicate<Socket> isAllowed) throws IOException {
        StoreBridge bridge = new StoreBridge(store, prefix, isAllowed);
        bridge.start(new Thread(bridge::accept, "resiliency-pytorch-store"));
        return bridge;
    }

    /** Returns the prefix of the group's keys in the store. */
    String prefix() {
        return prefix;
    }

    String host() {
        return server.getInetAddress().getHostAddress();
    }

    int port() {
        return server.getLocalPort();
    }

    private synchronized void start(Thread thread) {
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                if (isAllowed.test(socket)) {
                    serve(socket);
                } else {
                    LOG.warn(
                            "refused {}, a process of another user, at the port of this rank's process group",
                            socket.getRemoteSocketAddress());
                    socket.close();
                }
            }
        } catch (IOException closed) {
            LOG.debug("the store of a process group accepts no more connections: {}", closed.toString());
        }
    }

    private synchronized void serve(Socket socket) throws IOException {
        if (isClosed) {
            socket.close();
            return;
        }
        SocketAddress client = socket.getRemoteSocketAddress();
        Thread thread = new Thread(new BridgeConnection(store, prefix, socket), "resiliency-pytorch-store" + client);
        connections.put(thread, socket);
        start(thread);
    }

    /** Ends all requests at once: a client that waits for a key fails. Does not wait for the threads. */
    synchronized void abort() throws IOException {
        isClosed = true;
        server.close();
        for (Socket socket : connections.values()) {
            socket.close();
        }
        connections.keySet().forEach(Thread::interrupt); // out of the store
    }

    /** Ends all requests, and waits for the threads, for a limited time; returns earlier if it is interrupted. */
    void close() {
        try {
            abort();
            List<Thread> ending;
            synchronized (this) {
                ending = List.copyOf(threads);
            }
            long deadline = System.nanoTime() + END_LIMIT.toNanos();
            for (Thread thread : ending) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            }
        } catch (IOException e) {
            LOG.warn("the store of a process group cannot be closed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
