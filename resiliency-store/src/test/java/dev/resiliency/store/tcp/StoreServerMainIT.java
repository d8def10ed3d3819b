package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.Operation;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.Value;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The store server as a process of its own, which a signal ends. */
@Timeout(60)
class StoreServerMainIT {
    private static final String LISTENS = "Store listens on 127.0.0.1:";
    private static final int ENDED_BY_SIGTERM = 128 + 15;

    private final List<Process> processes = new ArrayList<>();

    @TempDir
    Path directory;

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
    }

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.resiliency.store.tcp.StoreServerMain"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(directory.resolve("errors").toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    /** The line of the output that contains this; there may be log lines before. */
    private static String line(BufferedReader output, String part) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.contains(part)) {
                return line;
            }
        }
        throw new AssertionError("the process ended and never said: " + part);
    }

    private static int port(BufferedReader output) throws IOException {
        String line = line(output, LISTENS);
        return Integer.parseInt(line.substring(line.indexOf(LISTENS) + LISTENS.length()));
    }

    private static TcpStore.Builder client(int port) {
        return TcpStore.builder().port(port).connectTimeout(Duration.ofSeconds(20));
    }

    @Test
    void itServesUntilASignalEndsIt() throws Exception {
        Process process = start(Map.of(), "--port", "0", "--stats", "1");
        BufferedReader output = process.inputReader();
        BlockingQueue<StoreException> losses = new LinkedBlockingQueue<>();
        try (TcpStore store = client(port(output)).connect()) {
            store.onLost(losses::add);
            store.set("key", "text");
            assertThat(line(output, "1 connections, 1 keys")).contains("requests/s");

            process.destroy();

            assertThat(losses.poll(20, TimeUnit.SECONDS))
                    .isInstanceOf(StoreLostException.class)
                    .hasMessageContaining("the server closed the connection");
        }
        assertThat(process.waitFor()).isEqualTo(ENDED_BY_SIGTERM);
    }

    @Test
    void clientsBearWithAServerThatStandsStill() throws Exception {
        Process process = start(Map.of(), "--port", "0");
        BlockingQueue<StoreException> losses = new LinkedBlockingQueue<>();
        try (TcpStore patient = client(port(process.inputReader())).connect();
                TcpStore hasty = client(patient.address().port())
                        .reconnectGrace(Duration.ofMillis(500))
                        .connect()) {
            patient.onLost(losses::add);
            patient.lastWill(new Operation.Set("will", Value.empty()));
            signal(process, "STOP");
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
    void theEnvironmentNamesItsSecret() throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), "0123456789abcdef\n");
        Process process = start(Map.of(Secret.VARIABLE, file.toString()), "--port", "0");
        int port = port(process.inputReader());

        assertThatThrownBy(() -> client(port).connect())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("wants a secret");
        try (TcpStore store = client(port).secret(Secret.ofFile(file)).connect()) {
            assertThat(store.add("counter", 1)).isEqualTo(1);
        }
    }

    @Test
    void aWrongCommandLineIsOneLineAndExitCodeTwo() throws Exception {
        Process process = start(Map.of(), "--port", "x");

        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(errors()).isEqualTo("store server: --port must be a number from 0 to 65535, not x\n");
    }

    @Test
    void whatKeepsItFromStartingIsOneLineAndExitCodeOne() throws Exception {
        Path missing = directory.resolve("missing");
        Process process = start(Map.of(), "--port", "0", "--secret-file", missing.toString());

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(errors())
                .startsWith("store server: the secret in '" + missing + "' cannot be read")
                .hasLineCount(1);
    }

    private String errors() throws IOException {
        return Files.readString(directory.resolve("errors"), StandardCharsets.UTF_8);
    }
}
