package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log server, with real processes. */
class LogServerIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private Path secret;
    private Path prefix;
    private int port;
    private int logPort;

    @BeforeEach
    void prepare() throws IOException {
        secret = directory.resolve("secret");
        Files.writeString(secret, "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        prefix = directory.resolve("logs/train.log");
        port = ProcessJob.freePort();
        logPort = ProcessJob.freePort();
    }

    private Launched agent(int number, String script, String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--rdzv-endpoint",
                "127.0.0.1:" + port,
                "--local-addr",
                "127.0.0." + (number + 1),
                "--rdzv-id",
                "logged",
                "--ft-per-cycle-applog-prefix",
                prefix.toString(),
                "--ft-enable-log-server=true",
                "--ft-log-server-port",
                Integer.toString(logPort),
                "--node-log-dir",
                directory.resolve("own").toString()));
        all.addAll(List.of(options));
        return Launched.script(
                directory,
                "node" + number,
                script,
                Map.of("RESILIENCY_STORE_SECRET_FILE", secret.toString()),
                all.toArray(String[]::new));
    }

    private ProcessJob program(String name, String... arguments) throws IOException {
        return ProcessJob.builder(ResiliencyCommand.class, Files.createDirectories(directory.resolve(name)))
                .javaOptions("-Xmx128m")
                .environment("RESILIENCY_STORE_SECRET_FILE", secret.toString())
                .arguments(arguments)
                .start();
    }

    private List<String> merged() throws IOException {
        return merged(0);
    }

    private List<String> merged(int cycle) throws IOException {
        Path file = directory.resolve("logs/train_cycle%d.log".formatted(cycle));
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private List<String> textsOf(String rank) throws IOException {
        return merged().stream()
                .filter(line -> line.contains("[" + rank + "]"))
                .map(line -> line.replaceAll(".*\\[" + rank + "] ", ""))
                .toList();
    }

    private void assertThatNodeIsWhole(String node, int cycle) throws IOException {
        List<String> own = Files.readAllLines(directory.resolve("own/train_cycle%d.%s.log".formatted(cycle, node)));
        assertThat(merged(cycle).stream().filter(line -> line.startsWith(node + ":")))
                .containsExactlyElementsOf(IntStream.range(0, own.size())
                        .mapToObj(i -> "%s:%d %s".formatted(node, i + 1, own.get(i)))
                        .toList());
    }

    @Test
    void linesOfAllNodesAreMergedByTheAgentThatHostsTheStore() throws Exception {
        String script = "i=0; while [ $i -lt 500 ]; do echo line $i; i=$((i+1)); done; printf 'last words'";
        try (Launched first = agent(0, script, "--nnodes", "2", "--nproc-per-node", "2");
                Launched second = agent(1, script, "--nnodes", "2", "--nproc-per-node", "2")) {
            assertThat(second.awaitExit()).as(second.log()).isZero();
            assertThat(first.awaitExit()).as(first.log()).isZero();

            for (int rank = 0; rank < 4; rank++) {
                assertThat(textsOf("rank " + rank))
                        .as("rank %d%n%s%s", rank, first.log(), second.log())
                        .hasSize(501)
                        .startsWith("line 0")
                        .endsWith("last words");
            }
        }
        assertThatNodeIsWhole("node0", 0);
        assertThatNodeIsWhole("node1", 0);
        assertThat(merged()).anyMatch(line -> line.contains("[agent of node1] all ranks of this node have completed"));
    }

    @Test
    void linesAreMergedByTheAgentThatHostsTheNextStore() throws Exception {
        Path end = directory.resolve("end");
        String script =
                "echo cycle $TORCHELASTIC_RESTART_COUNT; while [ ! -e '%s' ]; do sleep 0.05; done; echo last line"
                        .formatted(end);
        try (Launched first = agent(0, script, "--nnodes", "3");
                Launched second = agent(1, script, "--nnodes", "3");
                Launched third = agent(2, script, "--nnodes", "3")) {
            for (Launched each : List.of(first, second, third)) {
                each.awaitLine("cycle 0");
            }

            first.process().kill();
            for (Launched each : List.of(second, third)) {
                each.awaitLine("cycle 1");
            }
            Files.createFile(end);
            assertThat(second.awaitExit()).as(second.log()).isZero();
            assertThat(third.awaitExit()).as(third.log()).isZero();
        }
        assertThatNodeIsWhole("node1", 1);
        assertThatNodeIsWhole("node2", 1);
        assertThat(merged(1)).filteredOn(line -> line.endsWith("last line")).hasSize(2);
    }

    @Test
    void serverThatStandsStillOrIsKilledStopsNobodyAndLosesNothing() throws Exception {
        Path end = directory.resolve("end");
        String script =
                "i=0; while ! [ -e '%s' ]; do echo line $i; i=$((i+1)); sleep 0.01; done; echo last line; sleep 1"
                        .formatted(end);
        String[] serve = {
            "logs",
            "serve",
            "--per-cycle-applog-prefix",
            prefix.toString(),
            "--rdzv-id",
            "logged",
            "--log-server-port",
            Integer.toString(logPort)
        };
        try (ProcessJob store = program("store", "store", "--port", Integer.toString(port));
                ProcessJob server = program("server", serve)) {
            store.rank(0).awaitLine("Store listens on 127.0.0.1:" + port);
            RankProcess serving = server.rank(0);
            serving.awaitThat("serves", () -> serving.log().contains("serves job 'logged'"));
            try (Launched agent = agent(0, script)) {
                await().atMost(Patience.stretch(LIMIT))
                        .until(() -> textsOf("rank 0").size() > 100);

                serving.signal("STOP");
                int before = agent.process().lines().size();
                await().atMost(Patience.stretch(LIMIT))
                        .until(() -> agent.process().lines().size() > before + 200);
                int arrived = merged().size();
                serving.signal("CONT");
                await().atMost(Patience.stretch(LIMIT)).until(() -> merged().size() > arrived + 200);

                serving.kill();
                int killed = merged().size();
                agent.awaitLog("gets no lines");
                try (ProcessJob second = program("second-server", serve)) {
                    await().atMost(Patience.stretch(LIMIT)).until(() -> merged().size() > killed + 100);
                    agent.awaitLog("the log server gets lines again");
                    Files.createFile(end);
                    assertThat(agent.awaitExit()).as(agent.log()).isZero();
                    assertThat(second.rank(0).log()).doesNotContain("refused");
                }
            }
        }

        assertThatNodeIsWhole("node0", 0);
        List<String> lines = textsOf("rank 0");
        assertThat(lines).endsWith("last line");
        assertThat(lines.subList(0, lines.size() - 1))
                .isEqualTo(IntStream.range(0, lines.size() - 1)
                        .mapToObj(i -> "line " + i)
                        .toList());
    }
}
