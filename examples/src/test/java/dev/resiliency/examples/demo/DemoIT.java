package dev.resiliency.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the demo as a user does: the script, with real processes, real signals, and nothing left afterwards. */
class DemoIT {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** All processes of a demo inherit this variable, whoever their parent is by now. */
    private static final String MARK = "RESILIENCY_DEMO_IT";

    private final String mark = UUID.randomUUID().toString();

    @TempDir
    private Path directory;

    private Path temporary;
    private Path output;
    private Path report;

    @BeforeEach
    void setUp() throws IOException {
        temporary = Files.createDirectory(directory.resolve("tmp"));
        output = directory.resolve("output");
        report = directory.resolve("report.json");
        // It was built just now, even if there was nothing to change; the script need not build it again.
        Files.setLastModifiedTime(MODULE.resolve("target/resiliency-examples.jar"), FileTime.from(Instant.now()));
    }

    @AfterEach
    void noProcessIsLeft() {
        List<Long> left = marked();
        left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        assertThat(left).as("processes that the demo has left behind").isEmpty();
    }

    @Test
    void defaultFaultsAreSurvivedByAllButTheKilledRank() throws Exception {
        assertThat(exitCode(demo())).as(output()).isZero();

        JsonNode json = Json.MAPPER.readTree(report.toFile());
        assertThat(json.get("ranks").intValue()).isEqualTo(4);
        assertThat(json.get("survivors").intValue()).isEqualTo(3);
        assertThat(json.get("steps").intValue()).isEqualTo(2000);
        assertThat(json.get("accuracy").doubleValue()).isGreaterThanOrEqualTo(0.95);
        assertThat(json.get("restarts").findValuesAsText("cause")).containsExactly("exception", "kill");
        assertThat(json.get("restarts")).allSatisfy(restart -> {
            assertThat(restart.get("totalMs").doubleValue()).isPositive();
            assertThat(restart.get("phases").fieldNames())
                    .toIterable()
                    .startsWith("lastCall", "abort", "stop", "finalize", "healthCheck", "barrier");
        });
        assertThat(output()).contains("RESTARTED in ").doesNotContain("FAILED");
        assertThat(filesLeft()).isEmpty();
    }

    @Test
    void spareStepsInForTheKilledRank() throws Exception {
        assertThat(exitCode(demo("--ranks", "4", "--active", "3"))).as(output()).isZero();

        JsonNode json = Json.MAPPER.readTree(report.toFile());
        assertThat(json.get("survivors").intValue()).isEqualTo(3);
        assertThat(output()).contains("rank 3, a spare, steps in", "restart 2: 3 of 4 ranks train again");
    }

    @Test
    void hangsAndALostHostAreSurvivedByTheOthers() throws Exception {
        assertThat(exitCode(demo(
                        "--steps=800", "--fault=stop-ping:2@100", "--fault=sigstop:3@200", "--fault=host-loss:1@300")))
                .as(output())
                .isZero();

        JsonNode json = Json.MAPPER.readTree(report.toFile());
        assertThat(json.get("survivors").intValue()).isEqualTo(2);
        assertThat(output())
                .contains(
                        "rank 2 at step 100: the function goes on, but pings no more",
                        "rank 3 at step 200: SIGSTOP makes the process stand still",
                        "rank 1 at step 300: the process and its monitor stand still, as on a lost host")
                .doesNotContain("FAILED");
        assertThat(filesLeft()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void signalEndsAllProcessesAndDeletesAllFiles(String signal, int expected) throws Exception {
        Process demo = demo();
        await().atMost(LIMIT).until(() -> output().contains("restart 1:"));

        new ProcessBuilder("kill", "-" + signal, Long.toString(demo.pid()))
                .start()
                .waitFor();

        assertThat(exitCode(demo)).isEqualTo(expected);
        assertThat(output()).doesNotContain("FAILED");
        assertThat(filesLeft()).isEmpty();
    }

    @Test
    void killedDemoLeavesNoProcessBehind() throws Exception {
        Process demo = demo();
        await().atMost(LIMIT).until(() -> output().contains("step "));

        demo.destroyForcibly().waitFor();

        await().atMost(LIMIT).until(() -> marked().isEmpty());
    }

    @Test
    void deathOfTheRankThatHostsTheStoreEndsTheJobWithClearReasons() throws Exception {
        assertThat(exitCode(demo("--ranks=3", "--fault=kill:0@100")))
                .as(output())
                .isEqualTo(1);

        assertThat(output())
                .contains("0 of 3 ranks have come to the end")
                .containsPattern("FAILED: rank 1 left the job: .*StoreLostException: .* was lost")
                .containsPattern("FAILED: rank 2 left the job: .*StoreLostException: .* was lost");
        assertThat(filesLeft()).anyMatch(file -> file.endsWith("rank-1.log"));
    }

    @Test
    void mistakeOfTheUserIsToldAtOnce() throws Exception {
        assertThat(exitCode(demo("--fault=kill:4@100"))).isEqualTo(2);

        assertThat(output())
                .isEqualTo("error: kill:4@100: there is no rank 4, ranks go from 0 to 3 (--help tells more)\n");
    }

    private Process demo(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(MODULE.resolve("demo.sh").toString(), "--json=" + report));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put(MARK, mark);
        builder.environment().put("TMPDIR", temporary.toString());
        return builder.start();
    }

    private int exitCode(Process demo) throws InterruptedException {
        assertThat(demo.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("the demo ends")
                .isTrue();
        return demo.exitValue();
    }

    private String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> filesLeft() throws IOException {
        try (Stream<Path> files = Files.walk(temporary)) {
            return files.filter(file -> !file.equals(temporary))
                    .map(Path::toString)
                    .toList();
        }
    }

    private List<Long> marked() {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(this::isMarked)
                .toList();
    }

    private boolean isMarked(long pid) {
        try {
            String environment = new String(Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ")), UTF_8);
            return List.of(environment.split("\0", -1)).contains(MARK + "=" + mark);
        } catch (IOException e) {
            return false; // it has just ended, or is somebody else's
        }
    }
}
