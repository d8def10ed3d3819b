package dev.resiliency.examples.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the benchmark as a user does, small. */
class RestartBenchIT {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath();

    @TempDir
    private Path directory;

    @Test
    void restartsAfterEachKindOfFaultAreMeasured() throws Exception {
        Path file = directory.resolve("report.json");
        Path timeline = directory.resolve("timeline.html");

        int exitCode = run(
                "--ranks=2",
                "--runs=1",
                "--profile=tight",
                "--fault=exception,kill,stop-ping,blocked,blocked-read",
                "--json=" + file,
                "--timeline=" + timeline);

        assertThat(exitCode).as(output()).isZero();
        JsonNode report = new ObjectMapper().readTree(file.toFile());
        assertThat(report.get("machine").get("cores").intValue()).isPositive();
        assertThat(report.get("series").findValuesAsText("fault"))
                .containsExactly("exception", "kill", "stop-ping", "blocked", "blocked-read");
        assertThat(report.get("series")).allSatisfy(series -> {
            assertThat(series.at("/median/overhead").longValue()).isPositive();
            assertThat(series.at("/median/total").longValue())
                    .isGreaterThanOrEqualTo(series.at("/median/overhead").longValue());
            assertThat(series.at("/median/phases").fieldNames())
                    .toIterable()
                    .containsExactly("LAST_CALL", "ABORT", "STOP", "FINALIZE", "HEALTH_CHECK", "BARRIER", "ASSIGN");
            assertThat(series.get("runs")).hasSize(1);
        });
        assertThat(output()).contains("exception tight: run 1 of 1: ");
        assertThat(output())
                .contains("kill, settings tight, 2 ranks: run 1 of 1")
                .containsPattern("(?m)^rank 1 failed .*r +[\\d.]+$");
        assertThat(Files.readString(timeline).split("<section>", -1)).hasSize(1 + 5);
    }

    @Test
    void mistakeOfTheUserIsToldAtOnce() throws Exception {
        assertThat(run("--ranks=1")).isEqualTo(2);

        assertThat(output()).startsWith("error: --ranks: at least 2");
    }

    private int run(String... options) throws IOException, InterruptedException {
        // It was built just now, even if there was nothing to change; the script need not build it again.
        Files.setLastModifiedTime(MODULE.resolve("target/resiliency-examples.jar"), FileTime.from(Instant.now()));
        List<String> command =
                new ArrayList<>(List.of(MODULE.resolve("bench.sh").toString(), "restart"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        try {
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).as(output()).isTrue();
            return process.exitValue();
        } finally {
            process.destroy();
        }
    }

    private String output() throws IOException {
        return Files.readString(directory.resolve("output"));
    }
}
