package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server under hostile clients: it logs a line for each, and keeps serving. */
class HostileClientsIT {
    private static final int CONNECTIONS = 20;

    private final List<Socket> sockets = new ArrayList<>();
    private ServerProcess server;
    private int port;
    private TcpStore healthy;

    @BeforeEach
    void start() throws Exception {
        server = ServerProcess.start(
                List.of("-Xmx128m"),
                Map.of(),
                "--port",
                "0",
                "--max-connections",
                String.valueOf(CONNECTIONS),
                "--max-total-bytes",
                String.valueOf(32 << 20));
        port = server.port();
        healthy = TcpStore.builder()
                .port(port)
                .connectTimeout(Duration.ofSeconds(20))
                .connect();
    }

    @AfterEach
    void end() throws Exception {
        assertThat(healthy.add("counter", 1)).isPositive();
        healthy.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(socket);
        return socket;
    }

    private static byte[] hello() {
        return ByteBuffer.allocate(8 + 4 + 11)
                .putInt(0x52534C59)
                .putInt(0x00010001)
                .putInt(11)
                .put((byte) 1)
                .array();
    }

    private void awaitLog(int lines, String text) {
        await().atMost(Duration.ofMinutes(5)).until(() -> server.errors().contains(text));
        assertThat(log()).contains(text).hasLineCount(lines);
    }

    private String log() {
        try {
            return server.errors();
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    @Test
    void randomBytesCloseTheConnection() throws Exception {
        byte[] bytes = new byte[1000];
        new Random(1).nextBytes(bytes);
        bytes[0] = 77;
        connect().getOutputStream().write(bytes);

        awaitLog(1, "the connection begins with byte 77");
    }

    @Test
    void frameOfTwoGigabytesClosesTheConnection() throws Exception {
        Socket socket = connect();
        socket.getOutputStream().write(hello());
        assertThat(socket.getInputStream().read()).isNotNegative();
        socket.getOutputStream()
                .write(ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array());

        awaitLog(1, "a frame of 2147483647 bytes is over the limit of 16777216 (max-frame-bytes)");
    }

    @Test
    void oneConnectionTooManyIsClosed() throws Exception {
        for (int i = 1; i < CONNECTIONS; i++) {
            Socket other = connect();
            other.getOutputStream().write(hello());
            assertThat(other.getInputStream().read()).isNotNegative();
        }
        assertThat(connect().getInputStream().read()).isNegative();

        awaitLog(1, "20 are open, which is the limit of 20 (max-connections)");
    }

    @Test
    void floodOfBadConnectionsLogsAFewLines() throws Exception {
        for (int i = 0; i < 200; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write(0x4D);
                assertThat(socket.getInputStream().read()).isNegative();
            } catch (IOException reset) {
                // equally good: a reset closes the connection, too
            }
        }

        awaitLog(11, "Further messages like this are suppressed for a minute");
    }

    @Test
    void clientThatNeverReadsIsDisconnected() throws Exception {
        try (TcpStore writer = TcpStore.builder().port(port).connect()) {
            Socket socket = connect();
            socket.setReceiveBufferSize(4096);
            socket.getOutputStream().write(hello());
            // Watches the key "k" a thousand times, under as many ids.
            ByteBuffer watches = ByteBuffer.allocate(1000 * (4 + 9 + 8 + 1 + 3 + 8));
            for (int id = 1; id <= 1000; id++) {
                watches.putInt(9 + 8 + 1 + 3 + 8).put((byte) 2).putLong(id).putLong(1);
                watches.put((byte) 1)
                        .put((byte) 18)
                        .put((byte) 1)
                        .put((byte) 'k')
                        .putLong(id);
            }
            socket.getOutputStream().write(watches.array());
            await().atMost(Duration.ofMinutes(5))
                    .until(
                            () -> { // the watches count from when the server has read them
                                writer.set("k", Value.of(new byte[64 << 10]));
                                return log().contains("does not read");
                            });

            awaitLog(1, "it does not read the changes of its watches, over the limit of 4194304 (max-unwritten-bytes)");
        }
    }

    @Tag("full")
    @Test
    void silentOrSlowClientIsDisconnectedAfterTenSeconds() throws Exception {
        Socket silent = connect();
        Socket slow = connect();
        slow.getOutputStream().write("RSL".getBytes(java.nio.charset.StandardCharsets.UTF_8));

        assertThat(silent.getInputStream().read()).isNegative();
        assertThat(slow.getInputStream().read()).isNegative();

        awaitLog(2, "it did not complete the handshake within 10 s");
    }
}
