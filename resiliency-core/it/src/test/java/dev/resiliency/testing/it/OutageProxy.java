package dev.resiliency.testing.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A network between the clients of a server and the server, which fails once for a while: neither side learns of it. TCP
 * repeats what was lost at intervals that double, so a connection that has lost something is silent for as long again as
 * the network was. A connection opened meanwhile works as soon as the network does. All of its threads are daemons.
 */
final class OutageProxy implements AutoCloseable {
    private static final int CHUNK = 4096;
    private static final Duration POLL = Duration.ofMillis(5);

    private final int serverPort;
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    /** When the network fails and works again, by the clock of the system; written once, in this order reversed. */
    private volatile long end = Long.MAX_VALUE;

    private volatile long start = Long.MAX_VALUE;

    /** Creates a network to the server at this port. */
    OutageProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        daemon("accept", this::accept);
    }

    /** Returns the port that clients connect to. */
    int port() {
        return listener.getLocalPort();
    }

    /** Lets the network fail for this long, from now on. */
    void fail(Duration duration) {
        long now = System.nanoTime();
        end = now + duration.toNanos();
        start = now;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            long opened = System.nanoTime();
            daemon("to-server", () -> pump(client, server, opened));
            daemon("to-client", () -> pump(server, client, opened));
        }
    }

    private void pump(Socket from, Socket to, long opened) throws IOException {
        byte[] chunk = new byte[CHUNK];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                awaitPassage(opened);
                out.write(chunk, 0, read);
            }
            awaitPassage(opened);
        }
    }

    private void awaitPassage(long opened) {
        while (isSilent(System.nanoTime(), opened)) {
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private boolean isSilent(long now, long opened) {
        if (start == Long.MAX_VALUE || now < start) {
            return false;
        }
        long backOff = opened < start ? end - start : 0;
        return now < end + backOff;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void daemon(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException ended) {
                        // As when either side closes.
                    }
                },
                "outage-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }
}
