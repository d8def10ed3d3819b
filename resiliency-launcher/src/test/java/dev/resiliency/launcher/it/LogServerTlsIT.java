package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.tcp.Tls;
import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log server of a job whose store uses TLS, and who else knocks at its port. */
@Tag("full")
class LogServerTlsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String SECRET_FILE = "RESILIENCY_STORE_SECRET_FILE";

    @TempDir
    private Path directory;

    private final Map<String, String> variables = new HashMap<>();
    private int port;
    private int logPort;

    @BeforeEach
    void prepare() throws Exception {
        variables.putAll(SecretFiles.tls(directory));
        variables.put(SECRET_FILE, SecretFiles.write(directory.resolve("secret"), "0123456789abcdef0123456789abcdef"));
        port = ProcessJob.freePort();
        logPort = ProcessJob.freePort();
    }

    private Launched agent(int number, String script) throws IOException {
        return Launched.script(
                directory,
                "node" + number,
                script,
                variables,
                "--nnodes",
                "2",
                "--rdzv-endpoint",
                "127.0.0.1:" + port,
                "--local-addr",
                "127.0.0." + (number + 1),
                "--rdzv-id",
                "logged",
                "--ft-per-cycle-applog-prefix",
                directory.resolve("logs/train").toString(),
                "--ft-enable-log-server=true",
                "--ft-log-server-port",
                Integer.toString(logPort),
                "--node-log-dir",
                directory.resolve("own").toString());
    }

    private ProcessJob stranger(String name, Map<String, String> environment) throws IOException {
        Path own = Files.createDirectories(directory.resolve(name));
        ProcessJob.Builder stranger = ProcessJob.builder(LogStrangerProgram.class, own)
                .javaOptions("-Xmx64m")
                .arguments(own.toString(), Integer.toString(logPort));
        environment.forEach(stranger::environment);
        return stranger.start();
    }

    private static void awaitLine(ProcessJob stranger, String text) throws InterruptedException {
        RankProcess process = stranger.rank(0);
        process.awaitThat("says '" + text + "'", () -> process.lines().stream().anyMatch(line -> line.contains(text)));
    }

    private List<String> linesOf(String node) throws IOException {
        Path file = directory.resolve("logs/train_cycle0.log");
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .filter(line -> line.startsWith(node + ":"))
                        .toList()
                : List.of();
    }

    private void awaitMoreLines() throws IOException {
        for (String node : List.of("node0", "node1")) {
            int before = linesOf(node).size();
            await().atMost(Patience.stretch(LIMIT)).until(() -> linesOf(node).size() > before + 10);
        }
    }

    private void assertThatNodeIsWhole(String node) throws IOException {
        List<String> own = Files.readAllLines(directory.resolve("own/train_cycle0." + node + ".log"));
        assertThat(linesOf(node))
                .containsExactlyElementsOf(IntStream.range(0, own.size())
                        .mapToObj(i -> "%s:%d %s".formatted(node, i + 1, own.get(i)))
                        .toList());
    }

    @Test
    void strangersAreRefusedForAReasonAndDisturbNoOne() throws Exception {
        Path end = directory.resolve("end");
        Map<String, String> withoutTls = Map.of(SECRET_FILE, variables.get(SECRET_FILE));
        Map<String, String> withoutSecret = new HashMap<>(variables);
        withoutSecret.remove(SECRET_FILE);
        Map<String, String> wrongSecret = new HashMap<>(variables);
        wrongSecret.put(
                SECRET_FILE, SecretFiles.write(directory.resolve("guessed"), "another secret of 32 characters."));
        Map<String, String> withoutCertificate =
                Map.of(SECRET_FILE, variables.get(SECRET_FILE), Tls.TRUST_VARIABLE, variables.get(Tls.TRUST_VARIABLE));
        String script = "i=0; while ! [ -e '%s' ]; do echo line $i; i=$((i+1)); sleep 0.02; done".formatted(end);
        try (Launched first = agent(0, script);
                Launched second = agent(1, script)) {
            awaitMoreLines();
            try (ProcessJob plain = stranger("plain", withoutTls);
                    ProcessJob open = stranger("open", withoutSecret);
                    ProcessJob guesses = stranger("guesses", wrongSecret);
                    ProcessJob unknown = stranger("unknown", withoutCertificate)) {
                awaitLine(plain, "if the store uses TLS, this node needs RESILIENCY_STORE_TLS_TRUST as well");
                awaitLine(open, "this job has a secret, which this node does not give");
                awaitLine(guesses, "this job has another secret than this node");
                awaitLine(unknown, "CERTIFICATE_REQUIRED");
                awaitMoreLines();
            }
            Files.createFile(end);
            assertThat(second.awaitExit()).as(second.log()).isZero();
            assertThat(first.awaitExit()).as(first.log()).isZero();
            assertThat(first.log())
                    .contains("the log server has refused a client at /127.0.0.1")
                    .doesNotContain("gets no lines");
            assertThat(second.log()).doesNotContain("gets no lines");
        }

        assertThatNodeIsWhole("node0");
        assertThatNodeIsWhole("node1");
        assertThat(linesOf("stranger")).isEmpty();
    }
}
