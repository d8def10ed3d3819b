package dev.resiliency.launcher.attribution;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class AttributionServiceTest {
    /** Answers each connection by bytes without an end. */
    private static void drip(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept();
                    OutputStream out = socket.getOutputStream()) {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".getBytes(US_ASCII));
                while (true) {
                    out.write('x');
                    out.flush();
                    Thread.sleep(10);
                }
            } catch (IOException closed) {
                // By the client, or by the test.
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @Test
    void answerThatNeverEndsHasALimit() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> drip(server));
            thread.setDaemon(true);
            thread.start();
            ServiceSettings settings = new ServiceSettings(
                    URI.create("http://127.0.0.1:" + server.getLocalPort()),
                    cycle -> "/logs/train_cycle0.log",
                    false,
                    Duration.ofSeconds(1));
            CompletableFuture<String> said = new CompletableFuture<>();

            new AttributionService(settings, Map.of(), Duration.ofMillis(10), Duration.ofMillis(200))
                    .check(said::complete);

            assertThat(said.get(60, TimeUnit.SECONDS)).contains("its answer is not complete after 200ms");
        }
    }
}
