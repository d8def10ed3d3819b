package dev.resiliency.launcher.health;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.tcp.TcpStore;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Checks that the store of a job can be reached, or can be hosted here; with the secret and TLS of the environment. */
final class StoreCheck implements HostCheck {
    private static final String SUBJECT = "store";
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final String host;
    private final int port;

    StoreCheck(String host, int port) {
        this.host = host;
        this.port = port;
    }

    @Override
    public Finding run() throws InterruptedException {
        InetAddress address;
        try {
            address = InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            return Finding.failure(SUBJECT, "the name %s has no address here".formatted(host));
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), (int) LIMIT.toMillis());
        } catch (IOException e) {
            return nobodyListens(address, String.valueOf(e.getMessage()));
        }
        return talk();
    }

    private Finding nobodyListens(InetAddress address, String problem) {
        String endpoint = host + ":" + port;
        try {
            if (NetworkInterface.getByInetAddress(address) == null && !address.isLoopbackAddress()) {
                return Finding.warning(
                        SUBJECT,
                        "%s cannot be reached (%s): start the job's first node or 'resiliency store' there, and let"
                                        .formatted(endpoint, problem)
                                + " firewalls pass its port");
            }
            try (ServerSocket free = new ServerSocket()) {
                free.bind(new InetSocketAddress(address, port));
            }
            return Finding.ok(SUBJECT, "nobody listens at %s, so it can be hosted here".formatted(endpoint));
        } catch (BindException e) {
            return Finding.failure(SUBJECT, "it cannot be hosted at %s: %s".formatted(endpoint, e.getMessage()));
        } catch (IOException e) {
            return Finding.failure(SUBJECT, "%s: %s".formatted(endpoint, e.getMessage()));
        }
    }

    private Finding talk() throws InterruptedException {
        String endpoint = host + ":" + port;
        try (TcpStore store = TcpStore.builder()
                .name("doctor")
                .host(host)
                .port(port)
                .connectTimeout(LIMIT)
                .timeout(LIMIT)
                .reconnectGrace(Duration.ZERO)
                .connect()) {
            long start = System.nanoTime();
            store.check(List.of("doctor"));
            double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
            return Finding.ok(SUBJECT, "%s answers within %.1f ms".formatted(endpoint, millis));
        } catch (StoreException e) {
            return Finding.failure(SUBJECT, "%s: %s".formatted(endpoint, e.getMessage()));
        }
    }
}
