package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A job whose cycles are submitted to an attribution service in another process. */
class AttributionServiceIT {
    /** Rank 1 fails once. The job completes when a file appears, so that the answer comes while it runs. */
    private static final String SCRIPT =
            "[ $RANK = 0 ] || [ $TORCHELASTIC_RESTART_COUNT -gt 0 ] || exit 17; while [ ! -e '%s' ]; do sleep 0.05; done";

    @TempDir
    private Path directory;

    private ProcessJob service(String mode) throws Exception {
        ProcessJob job = ProcessJob.builder(ServiceProgram.class, Files.createDirectory(directory.resolve("service")))
                .javaOptions("-Xmx64m")
                .arguments(mode)
                .start();
        job.rank(0).awaitThat("listens", () -> !job.rank(0).lines().isEmpty());
        return job;
    }

    private Launched agent(RankProcess service, Path end, String... more) throws Exception {
        List<String> options = new ArrayList<>(List.of(
                "--nproc-per-node",
                "2",
                "--ft-per-cycle-applog-prefix",
                directory.resolve("train.log").toString(),
                "--ft-attribution-endpoint",
                "http://127.0.0.1:" + service.lines().get(0).substring("port ".length())));
        options.addAll(List.of(more));
        return Launched.script(
                directory,
                "node",
                SCRIPT.formatted(end),
                Map.of("SLURM_JOB_USER", "ada", "SLURM_JOB_ID", "4711"),
                options.toArray(String[]::new));
    }

    @Test
    void serviceThatRecommendsToStopEndsTheJobIfThatIsWanted() throws Exception {
        try (ProcessJob service = service("STOP");
                Launched agent =
                        agent(service.rank(0), directory.resolve("end"), "--ft-attribution-stop-action", "stop")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(93);
            assertThat(agent.log())
                    .contains("report 1: EXITED(17)")
                    .contains("report 1: the attribution service says STOP: the loss is NaN since step 40")
                    .contains("the attribution service recommends to stop");
            assertThat(service.rank(0).lines())
                    .anyMatch(line -> line.startsWith("POST /logs ")
                            && line.contains("train_cycle0.log\"")
                            && line.contains("\"user\":\"ada\",\"job_id\":\"4711\",\"cycle_id\":0"))
                    .anyMatch(line -> line.startsWith("GET /logs?log_path="));
        }
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft-no-replace", "hard"})
    void serviceReceivesTheLogOfTheCycleInWhichTheFaultHasHappened(String policy) throws Exception {
        Path end = directory.resolve("end");
        try (ProcessJob service = service("RESTART");
                Launched agent = agent(service.rank(0), end, "--restart-policy", policy)) {
            agent.awaitLog("report 1: the attribution service says RESTART");
            Files.createFile(end);

            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(service.rank(0).lines())
                    .filteredOn(line -> line.startsWith("POST /logs "))
                    .allMatch(line -> line.contains("train_cycle0.log\"") && line.contains("\"cycle_id\":0"));
        }
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({
        "STOP, STOP",
        "RESTART, RESTART",
        "fails, UNKNOWN",
        "nonsense, UNKNOWN",
        "silent, UNKNOWN",
        "drips, UNKNOWN"
    })
    void jobGoesOnWhateverTheServiceSays(String mode, String action) throws Exception {
        Path end = directory.resolve("end");
        try (ProcessJob service = service(mode);
                Launched agent = agent(service.rank(0), end, "--attribution-timeout", "8s")) {
            agent.awaitLog("restart 1 of 10");
            agent.awaitLog("report 1: the attribution service says " + action);
            Files.createFile(end);

            assertThat(agent.awaitExit()).as(agent.log()).isZero();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Launched managed(int port, Path end, Map<String, String> variables, String... more) throws Exception {
        List<String> options = new ArrayList<>(List.of(
                "--nproc-per-node",
                "2",
                "--ft-per-cycle-applog-prefix",
                directory.resolve("logs/train.log").toString(),
                "--ft-attribution-endpoint",
                "localhost:" + port));
        options.addAll(List.of(more));
        return Launched.script(directory, "node", SCRIPT.formatted(end), variables, options.toArray(String[]::new));
    }

    private List<String> linesOfTheService() throws IOException {
        return Files.readAllLines(directory.resolve("logs/train_attribution.log"));
    }

    private static List<ProcessHandle> servicesOf(Launched agent) {
        return ProcessHandle.of(agent.process().pid()).stream()
                .flatMap(ProcessHandle::children)
                .filter(AttributionServiceIT::isService)
                .toList();
    }

    private static boolean isService(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                    .contains("--ends-with-input");
        } catch (IOException ended) {
            return false;
        }
    }

    @Test
    void agentRunsTheServiceAndStartsItAgainAndEndsIt() throws Exception {
        Path end = directory.resolve("end");
        List<ProcessHandle> services;
        try (Launched agent = managed(freePort(), end, Map.of())) {
            agent.awaitLog("the attribution service answers at http://localhost:");
            agent.awaitLog("report 1: the attribution service says CONTINUE: EXITED(17), first rank 1 on node");
            services = servicesOf(agent);
            assertThat(services).hasSize(1);
            services.get(0).destroyForcibly();
            agent.awaitLog("the attribution service has ended with exit code 137; it is started again in 1s");
            await().until(() -> servicesOf(agent).stream().anyMatch(ProcessHandle::isAlive));
            services = servicesOf(agent);
            Files.createFile(end);

            assertThat(agent.awaitExit()).as(agent.log()).isZero();
        }
        assertThat(linesOfTheService())
                .anyMatch(
                        line -> line.contains("[attribution] serves the logs in ") && line.endsWith("with rules alone"))
                .anyMatch(line -> line.contains("train_cycle0.log: CONTINUE"));
        List<ProcessHandle> left = services;
        await().until(() -> left.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** As docs/attribution.md has it. */
    @Tag("full")
    @Test
    void serviceThatIsStartedAloneServesUntilSigterm() throws Exception {
        int port = freePort();
        Path logs = Files.createDirectory(directory.resolve("logs"));
        try (ProcessJob job = ProcessJob.builder(
                        ResiliencyCommand.class, Files.createDirectory(directory.resolve("alone")))
                .arguments("attribution", "serve", "--log-directory", logs.toString(), "--port", "" + port)
                .start()) {
            RankProcess service = job.rank(0);
            service.awaitThat("serves", () -> service.log().contains("serves the logs in " + logs));
            URI address = URI.create("http://127.0.0.1:" + port + "/healthz");
            assertThat(HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                            .body())
                    .contains("\"status\":\"ok\"");

            service.signal("TERM");

            assertThat(service.awaitExit()).as(service.log()).isZero();
        }
    }

    @Tag("full")
    @Test
    void serviceEndsWithAnAgentThatIsKilled() throws Exception {
        try (Launched agent = managed(freePort(), directory.resolve("end"), Map.of())) {
            agent.awaitLog("the attribution service answers at http://localhost:");
            List<ProcessHandle> services = servicesOf(agent);
            assertThat(services).hasSize(1);
            agent.process().kill();

            await().until(() -> services.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    @Tag("full")
    @Test
    void portInUseCostsNothingButTheService() throws Exception {
        Path end = directory.resolve("end");
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Launched agent = managed(
                        other.getLocalPort(),
                        end,
                        Map.of(),
                        "--attribution-startup-timeout",
                        "1s",
                        "--attribution-timeout",
                        "2s")) {
            agent.awaitLog("the attribution service has ended with exit code 1");
            agent.awaitLog("restart 1 of 10");
            Files.createFile(end);

            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(linesOfTheService())
                    .anyMatch(line -> line.contains("cannot listen at 127.0.0.1:" + other.getLocalPort()));
        }
    }

    @Tag("full")
    @Test
    void modelWithoutAKeyEndsTheAgentBeforeItStartsAnything() throws Exception {
        try (Launched agent = managed(
                freePort(),
                directory.resolve("end"),
                Map.of("LLM_API_KEY_FILE", "/nowhere/key"),
                "--ft-attribution-llm-base-url",
                "http://127.0.0.1:1/v1",
                "--ft-attribution-llm-model",
                "small")) {
            assertThat(agent.awaitExit()).isEqualTo(1);
            assertThat(agent.log())
                    .contains("the attribution service cannot ask small, as its key cannot be read: /nowhere/key")
                    .doesNotContain("pid ");
        }
    }

    @Tag("full")
    @Test
    void endpointOfAnotherSchemeIsKeptAndNotUsed() throws Exception {
        try (Launched agent = Launched.script(
                directory,
                "node",
                "true",
                "--ft-attribution-endpoint",
                "grpc://host:1",
                "--per-cycle-applog-prefix",
                directory.resolve("train").toString())) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log())
                    .contains("the attribution service at grpc://host:1 is not used: logs are submitted over HTTP");
        }
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ftp://host|over HTTP or HTTPS",
                "http://|is no address",
                "localhost:99999|from 1 to 65535",
            })
    void endpointThatCannotBeUsedIsExplained(String endpoint, String explanation) throws Exception {
        try (Launched agent = Launched.script(
                directory,
                "node",
                "true",
                "--ft-attribution-endpoint",
                endpoint,
                "--per-cycle-applog-prefix",
                directory.resolve("train").toString())) {
            assertThat(agent.awaitExit()).isEqualTo(2);
            assertThat(agent.log()).contains(explanation);
        }
    }
}
