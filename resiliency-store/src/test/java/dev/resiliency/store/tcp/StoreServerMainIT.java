package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The standalone store server, which a signal ends. */
class StoreServerMainIT {
    private final List<ServerProcess> processes = new ArrayList<>();

    @TempDir
    Path directory;

    @AfterEach
    void endProcesses() throws IOException {
        for (ServerProcess process : processes) {
            process.close();
        }
    }

    private ServerProcess start(Map<String, String> environment, String... arguments) throws IOException {
        ServerProcess process = ServerProcess.start(List.of(), environment, arguments);
        processes.add(process);
        return process;
    }

    private static TcpStore.Builder client(int port) {
        return TcpStore.builder().port(port).connectTimeout(Duration.ofSeconds(20));
    }

    @Test
    void servesUntilASignalEndsIt() throws Exception {
        ServerProcess server = start(Map.of(), "--port", "0", "--stats", "1");
        BlockingQueue<StoreException> losses = new LinkedBlockingQueue<>();
        int port = server.port();
        try (TcpStore store = client(port).connect()) {
            store.onLost(losses::add);
            store.set("key", "text");
            assertThat(server.line("1 connections, 1 keys, 207 bytes")).contains("requests/s");

            server.terminate();

            assertThat(losses.poll(20, TimeUnit.SECONDS)).isInstanceOf(StoreLostException.class);
        }
        assertThat(server.line("has ended")).isEqualTo("Store on 127.0.0.1:%d has ended", port);
        assertThat(server.process().waitFor()).isZero();
    }

    @Test
    void clientsTolerateAPausedServer() throws Exception {
        ServerProcess server = start(Map.of(), "--port", "0");
        Process process = server.process();
        BlockingQueue<StoreException> losses = new LinkedBlockingQueue<>();
        try (TcpStore patient = client(server.port()).connect();
                TcpStore hasty = client(patient.address().port())
                        .reconnectGrace(Duration.ofMillis(500))
                        .connect()) {
            patient.onLost(losses::add);
            patient.lastWill(new Operation.Set("will", Value.empty()));
            signal(process, "STOP");
            Path state = Path.of("/proc", Long.toString(process.pid()), "stat");
            await().until(() -> Files.readString(state).contains(") T "));
            CompletableFuture<List<@Nullable Object>> first =
                    patient.submit(List.of(new Operation.Add("counter", 1)), Duration.ofSeconds(20));
            CompletableFuture<List<@Nullable Object>> second =
                    hasty.submit(List.of(new Operation.Get("missing")), Duration.ofSeconds(20));
            assertThatThrownBy(second::get).hasCauseInstanceOf(StoreLostException.class);
            assertThat(first).isNotDone();
            signal(process, "CONT");

            assertThat(first.get()).containsExactly(1L);
            assertThat(patient.add("counter", 1)).isEqualTo(2);
            assertThat(patient.check(List.of("will"))).isFalse();
            assertThat(losses).isEmpty();
        }
    }

    private static void signal(Process process, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void environmentNamesItsSecret() throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), "0123456789abcdef\n");
        int port =
                start(Map.of(Secret.VARIABLE, file.toString()), "--port", "0").port();

        assertThatThrownBy(() -> client(port).connect())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("requires a secret");
        try (TcpStore store = client(port).secret(Secret.ofFile(file)).connect()) {
            assertThat(store.add("counter", 1)).isEqualTo(1);
        }
    }

    @Test
    void encryptsAndKeepsItsLimits() throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .ecp256()
                .subject("CN=store")
                .addSanIpAddress("127.0.0.1")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        Path certificate = Files.writeString(directory.resolve("certificate.pem"), bundle.getCertificatePEM());
        Path key = Files.writeString(directory.resolve("key.pem"), bundle.getPrivateKeyPEM());
        int port = start(
                        Map.of(),
                        "--port",
                        "0",
                        "--tls-cert",
                        certificate.toString(),
                        "--tls-key",
                        key.toString(),
                        "--max-keys",
                        "1")
                .port();

        try (TcpStore store = client(port).tls(Tls.create().trust(certificate)).connect()) {
            store.set("a", "text");
            assertThatThrownBy(() -> store.set("b", "text"))
                    .isInstanceOf(StoreRequestException.class)
                    .hasMessageContaining("(max-keys)");
        }
    }

    @Test
    void invalidCommandLineGivesOneLineAndExitCodeTwo() throws Exception {
        ServerProcess server = start(Map.of(), "--port", "x");

        assertThat(server.process().waitFor()).isEqualTo(2);
        assertThat(server.errors()).isEqualTo("store server: --port must be a number from 0 to 65535, not x\n");
    }

    @Test
    void failureToStartGivesOneLineAndExitCodeOne() throws Exception {
        Path missing = directory.resolve("missing");
        ServerProcess server = start(Map.of(), "--port", "0", "--secret-file", missing.toString());

        assertThat(server.process().waitFor()).isEqualTo(1);
        assertThat(server.errors())
                .startsWith("store server: the secret in '" + missing + "' cannot be read")
                .hasLineCount(1);
    }
}
