package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.health.NodeHealthServer;
import dev.resiliency.launcher.rendezvous.JobControl;
import dev.resiliency.launcher.rendezvous.JobEvent;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are, become, and stop being unhealthy, with real agents, ranks and checks. */
class HealthIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    /** Looks at a job from outside. */
    private interface Look<T> {
        T apply(JobControl control) throws InterruptedException;
    }

    private static <T> T control(String endpoint, Look<T> look) throws Exception {
        int colon = endpoint.indexOf(':');
        try (TcpStore store = TcpStore.builder()
                .host(endpoint.substring(0, colon))
                .port(Integer.parseInt(endpoint.substring(colon + 1)))
                .connect()) {
            return look.apply(new JobControl(store, "default"));
        }
    }

    private static List<String> events(String endpoint, JobEvent.Kind kind) throws Exception {
        return control(endpoint, JobControl::events).stream()
                .filter(event -> event.kind() == kind)
                .map(JobEvent::text)
                .toList();
    }

    @Test
    void nodeThatIsUnhealthyAtTheStartTakesPartWhenItIsHealthy() throws Exception {
        Path data = directory.resolve("data");
        String endpoint = "127.0.0.1:" + ProcessJob.freePort();
        try (Launched agent = Launched.script(
                directory,
                "node",
                "echo runs; exec sleep 1000",
                "--rdzv-endpoint",
                endpoint,
                "--ft-storage-health-check-path",
                "/tmp," + data,
                "--health-recheck-interval",
                "100ms")) {
            agent.awaitLog("this node is unhealthy, so it does not take part: storage " + data
                    + ": there is no such file or directory. It is checked again every 100ms, for at most 10m");
            assertThat(agent.process().lines()).isEmpty();
            await().atMost(Patience.stretch(LIMIT))
                    .untilAsserted(() ->
                            assertThat(control(endpoint, JobControl::unhealthy)).containsOnlyKeys("node"));
            assertThatThrownBy(() -> control(endpoint, JobControl::status))
                    .hasMessageContaining(
                            "no node takes part in job 'default' yet; these are unhealthy: {node=storage");
            Files.createFile(data);

            agent.awaitLine("runs");
            assertThat(agent.log()).contains("this node is healthy again");
            assertThat(events(endpoint, JobEvent.Kind.NODE_UNHEALTHY))
                    .containsExactly(
                            "node node is unhealthy: storage " + data + ": there is no such file or directory");
            await().atMost(Patience.stretch(LIMIT))
                    .untilAsserted(() -> assertThat(events(endpoint, JobEvent.Kind.NODE_HEALTHY))
                            .containsExactly("node node is healthy again"));
            assertThat(control(endpoint, JobControl::unhealthy)).isEmpty();
        }
    }

    /** What it prints was once kept in a file, which had gigabytes within seconds. */
    @Test
    void checkThatPrintsForEverKeepsNoNodeFromTraining() throws Exception {
        try (Launched agent = Launched.script(
                directory, "node", "echo runs", "--node-health-check-command", "yes", "--health-check-timeout", "1s")) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.process().lines()).contains("runs");
            assertThat(agent.log()).contains("yes has not ended within 1s");
        }
    }

    @Test
    void nodeThatStaysUnhealthyAsksToBeReplaced() throws Exception {
        try (Launched agent = Launched.script(
                directory,
                "node",
                "echo never",
                "--node-health-check-command",
                "false",
                "--health-recheck-interval",
                "100ms",
                "--unhealthy-timeout",
                "500ms")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(94);
            assertThat(agent.log()).contains("this node has been unhealthy for 500ms", "false exited with code 1");
            assertThat(agent.process().lines()).isEmpty();
        }
    }

    @Test
    void signalEndsANodeThatWaits() throws Exception {
        try (Launched agent =
                Launched.script(directory, "node", "echo never", "--node-health-check-command", "false")) {
            agent.awaitLog("this node is unhealthy");
            agent.process().signal("TERM");
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(143);
        }
    }

    /** The others go on, even without the node whose agent hosts their store; and the node may come back. */
    @Test
    void nodeThatTurnsUnhealthyLeavesAndComesBack() throws Exception {
        Path server = Files.createDirectory(directory.resolve("service"));
        Path socket = directory.resolve("nvhcd.sock");
        Path end = directory.resolve("end");
        Files.writeString(server.resolve("success"), "true");
        Files.writeString(server.resolve("output"), "{\"fail_count\": 0}");
        String endpoint = "127.0.0.1:" + ProcessJob.freePort();
        String[] options = {
            "--nnodes",
            "1:2",
            "--rdzv-endpoint",
            endpoint,
            "--rdzv-last-call",
            "20s",
            "--health-check-interval",
            "100ms"
        };
        String[] service = {"--ft-node-health-check-endpoint", "unix://" + socket};
        try (ProcessJob daemon = ProcessJob.builder(
                                NodeHealthServer.class, Files.createDirectory(directory.resolve("daemon")))
                        .arguments(socket.toString(), server.toString())
                        .start();
                Launched first = training("first", end, options, "--local-addr", "127.0.0.1");
                Launched second = training("second", end, options, concat(service, "--local-addr", "127.0.0.2"))) {
            daemon.rank(0).awaitLine("serves");
            second.awaitLog("runs ");
            first.awaitLog("runs rank 0");

            Files.writeString(server.resolve("output"), "{\"fail_count\": 1, \"failed_checks\": [\"nvlink 3\"]}");
            assertThat(second.awaitExit()).as(second.log()).isEqualTo(94);
            assertThat(second.log())
                    .contains("this node is unhealthy: node health service: it reports 1 failed checks")
                    .contains("nvlink 3", "receives SIGTERM");
            assertThat(events(endpoint, JobEvent.Kind.NODE_UNHEALTHY))
                    .singleElement()
                    .asString()
                    .contains("node second is unhealthy", "nvlink 3");
            assertThat(events(endpoint, JobEvent.Kind.NODE_LEFT)).hasSize(1);
            assertThat(first.rank(0).isAlive()).isTrue();
            assertThat(control(endpoint, JobControl::unhealthy)).containsOnlyKeys("second");

            Files.writeString(server.resolve("output"), "{\"fail_count\": 0}");
            try (Launched again = training("second", end, options, concat(service, "--local-addr", "127.0.0.2"))) {
                again.awaitLog("group rank");
                await().atMost(Patience.stretch(LIMIT))
                        .untilAsserted(() -> assertThat(events(endpoint, JobEvent.Kind.NODE_HEALTHY))
                                .containsExactly("node second is healthy again"));
                again.process().signal("TERM");
                again.awaitExit();
            }
            Files.createFile(end);
            assertThat(first.awaitExit()).as(first.log()).isZero();
        }
    }

    private Launched training(String name, Path end, String[] options, String... more) throws Exception {
        return Launched.training(directory, name, end, concat(options, more));
    }

    private static String[] concat(String[] first, String... second) {
        String[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    @Tag("full")
    @Test
    void unhealthyNodeThatHostsTheStoreLetsTheOtherGoOnWithoutIt() throws Exception {
        Path healthy = Files.createFile(directory.resolve("healthy"));
        String endpoint = "127.0.0.1:" + ProcessJob.freePort();
        Path end = directory.resolve("end");
        String[] options = {"--nnodes", "2", "--rdzv-endpoint", endpoint, "--health-check-interval", "100ms"};
        try (Launched first = training(
                        "first",
                        end,
                        options,
                        "--local-addr",
                        "127.0.0.1",
                        "--ft-storage-health-check-path",
                        healthy.toString());
                Launched second = training("second", end, options, "--local-addr", "127.0.0.2")) {
            second.awaitLine("FOUNDED in a world of 2, generation 0, iteration 0");
            Files.delete(healthy);

            assertThat(first.awaitExit()).as(first.log()).isEqualTo(94);
            second.awaitLine("SURVIVED in a world of 1, generation 1, iteration 100");
            Files.createFile(end);
            assertThat(second.awaitExit()).as(second.log()).isZero();
        }
    }

    /** Another process holds a lease on a file, so that the kernel lets whoever opens it wait: for 45 s, by default. */
    @Test
    void storageThatReallyHangsDoesNotHangTheAgent() throws Exception {
        Path file = Files.writeString(directory.resolve("leased"), "text");
        Process holder = new ProcessBuilder(
                        "perl",
                        "-e",
                        "$SIG{IO} = 'IGNORE'; open(F, '+<', $ARGV[0]) or die; fcntl(F, 1024, 1) or die $!;"
                                + " $| = 1; print \"leased\\n\"; sleep 1000",
                        file.toString())
                .start();
        assumeThat(holder.inputReader().readLine())
                .as("this file system has leases")
                .isEqualTo("leased");
        try (Launched agent = Launched.script(
                directory,
                "node",
                "echo never",
                "--storage-health-check-path",
                file.toString(),
                "--health-check-timeout",
                "1s",
                "--unhealthy-timeout",
                "0")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(94);
            assertThat(agent.log()).contains("storage " + file + ": it has not answered within 1s");
            assertThat(agent.process().family()).isEmpty();
        } finally {
            holder.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void fileOfNvidiasLauncherIsUnderstood() throws Exception {
        Path settings =
                Files.writeString(directory.resolve("job.yaml"), """
                fault_tolerance:
                  node_health_check_endpoint: unix://%s/none.sock
                  enable_dist_storage_healthcheck: true
                  storage_healthcheck_path: "/tmp,%s"
                """.formatted(directory, directory.resolve("none")));
        try (Launched agent = Launched.script(
                directory, "node", "echo never", "--ft-cfg-path", settings.toString(), "--unhealthy-timeout", "0")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(94);
            assertThat(agent.log())
                    .contains("there is no socket " + directory.resolve("none.sock"))
                    .contains("this node has been unhealthy for 0: storage " + directory.resolve("none"));
        }
    }

    @Test
    void ranksThatAllStartAgainWaitForTheCheck() throws Exception {
        Path checks = directory.resolve("checks");
        Path program = Files.writeString(directory.resolve("check"), "#!/bin/sh\necho check >> " + checks + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        try (Launched agent = Launched.script(
                directory,
                "node",
                "echo cycle $TORCHELASTIC_RESTART_COUNT; [ $TORCHELASTIC_RESTART_COUNT = 1 ]",
                "--restart-policy",
                "hard",
                "--node-health-check-command",
                program.toString())) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.process().lines()).containsExactly("cycle 0", "cycle 1");
            assertThat(Files.readAllLines(checks)).containsExactly("check", "check");
        }
    }
}
