package dev.resiliency.store.tcp.internal.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PyTorchClientTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    /** Completes the handshake, and reads nothing from then on. */
    private static Socket welcome(ServerSocket server) {
        try {
            Socket client = server.accept();
            byte[] opening = client.getInputStream().readNBytes(10);
            client.getOutputStream().write(opening, 6, 4); // the nonce
            return client;
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void serverThatStopsReadingIsLostInTime() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setReceiveBufferSize(1 << 12);
            CompletableFuture<Socket> accepted = CompletableFuture.supplyAsync(() -> welcome(server));
            Endpoint endpoint = new Endpoint(new StoreAddress("127.0.0.1", server.getLocalPort(), ""));
            PyTorchClient client = PyTorchClient.connect(endpoint, LONG, Duration.ofMillis(200));
            try (Socket reader = accepted.get()) {
                Value large = Value.of(new byte[32 << 20]);

                CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> client.set("key", large));

                assertThat(writing)
                        .failsWithin(LONG)
                        .withThrowableThat()
                        .withCauseInstanceOf(StoreLostException.class)
                        .withMessageContaining("the server does not read")
                        .withMessageContaining("0.2 s");
                assertThat(reader.isClosed()).isFalse();
            } finally {
                client.close();
            }
        }
    }
}
