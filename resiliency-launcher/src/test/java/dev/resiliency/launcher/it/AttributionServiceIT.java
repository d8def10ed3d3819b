package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
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

    @Tag("full")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "localhost|this launcher runs none. Start such a service",
                "grpc://host:1|over HTTP or HTTPS only",
                "http://|is no address"
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
