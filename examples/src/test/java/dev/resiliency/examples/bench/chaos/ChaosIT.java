package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the benchmark as a user does, for a short time. */
class ChaosIT {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
    private static final Duration LIMIT = Duration.ofMinutes(3);

    @TempDir
    private Path directory;

    private Path temporary;
    private Path output;

    @BeforeEach
    void setUp() throws IOException {
        temporary = Files.createDirectory(directory.resolve("tmp"));
        output = directory.resolve("output");
        // It was built just now, even if there was nothing to change; the script need not build it again.
        Files.setLastModifiedTime(MODULE.resolve("target/resiliency-examples.jar"), FileTime.from(Instant.now()));
    }

    @Test
    void noInvariantBreaksInFourRanks() throws Exception {
        Path file = directory.resolve("report.json");

        Process chaos = start("--minutes=0.5", "--ranks=4", "--seed=1", "--json=" + file);

        assertThat(chaos.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as(output())
                .isTrue();
        assertThat(chaos.exitValue()).as(output()).isZero();
        JsonNode report = Json.MAPPER.readTree(file.toFile());
        assertThat(report.get("violations")).isEmpty();
        assertThat(report.get("faults").intValue()).isPositive();
        assertThat(report.get("restarts").intValue()).isPositive();
        assertThat(report.get("rows")).isNotEmpty().allSatisfy(row -> {
            assertThat(row.get("recovered")).isEqualTo(row.get("expectedToRecover"));
            assertThat(row.get("lost")).isEqualTo(row.get("expectedToBeLost"));
        });
        assertThat(output()).contains("seed 1, 4 ranks", "No invariant was broken.");
        assertThat(filesLeft()).isEmpty();
    }

    @Test
    void signalEndsAllProcessesAndDeletesAllFiles() throws Exception {
        Process chaos = start("--ranks=3", "--fault=exception");
        await().atMost(LIMIT).until(() -> output().contains("until 3 ranks go on"));
        List<ProcessHandle> processes = chaos.descendants().toList();
        assertThat(processes).hasSizeGreaterThan(6); // three ranks, their monitor processes, the shell for signals

        new ProcessBuilder("kill", "-INT", Long.toString(chaos.pid())).start().waitFor();

        assertThat(chaos.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as(output())
                .isTrue();
        await().atMost(LIMIT).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(output()).doesNotContain("BROKEN");
        assertThat(filesLeft()).isEmpty();
    }

    @Test
    void mistakeOfTheUserIsToldAtOnce() throws Exception {
        Process chaos = start("--ranks=2");

        assertThat(chaos.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(chaos.exitValue()).isEqualTo(2);
        assertThat(output()).isEqualTo("error: --ranks is 2: it must be from 3 to 32 (--help tells more)\n");
    }

    private Process start(String... options) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(MODULE.resolve("bench.sh").toString(), "chaos"));
        command.addAll(List.of(options));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("TMPDIR", temporary.toString());
        return builder.start();
    }

    private String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> filesLeft() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.map(Path::toString).toList();
        }
    }
}
