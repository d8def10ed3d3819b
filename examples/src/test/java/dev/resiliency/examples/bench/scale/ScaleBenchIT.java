package dev.resiliency.examples.bench.scale;

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
class ScaleBenchIT {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath();

    @TempDir
    private Path directory;

    @Test
    void restartsOfJobsOfSeveralSizesAreMeasured() throws Exception {
        Path file = directory.resolve("report.json");

        // Enough restarts for the ranks to tell once what they have received.
        int exitCode = run("--ranks=64,128", "--restarts=5", "--json=" + file);

        assertThat(exitCode).as(output()).isZero();
        JsonNode report = new ObjectMapper().readTree(file.toFile());
        assertThat(report.get("machine").get("cores").intValue()).isPositive();
        assertThat(report.get("rows").findValuesAsText("ranks")).containsExactly("64", "128");
        for (JsonNode row : report.get("rows")) {
            assertThat(row.get("restarts")).hasSize(5).allSatisfy(ScaleBenchIT::assertIsInOrder);
            // Told once, asked in two requests, answered once; a fault and its answer more on one rank.
            assertThat(row.at("/first/messages").doubleValue())
                    .isEqualTo(4 + 2.0 / (row.get("ranks").intValue() - 1));
            assertThat(row.at("/median/bytes").doubleValue()).isBetween(200.0, 2000.0);
            assertThat(row.get("ratio").doubleValue()).isPositive();
        }
    }

    private static void assertIsInOrder(JsonNode restart) {
        assertThat(restart.get("told").longValue()).isPositive();
        assertThat(restart.get("allStopped").longValue())
                .isGreaterThan(restart.get("told").longValue());
        assertThat(restart.get("assigned").longValue())
                .isGreaterThan(restart.get("allStopped").longValue());
        assertThat(restart.get("total").longValue())
                .isGreaterThan(restart.get("assigned").longValue());
    }

    @Test
    void mistakeOfTheUserIsToldAtOnce() throws Exception {
        assertThat(run("--ranks=20000")).isEqualTo(2);

        assertThat(output()).startsWith("error: --ranks: 20000 must be from 4 to 19000");
    }

    private int run(String... options) throws IOException, InterruptedException {
        // It was built just now, even if there was nothing to change; the script need not build it again.
        Files.setLastModifiedTime(MODULE.resolve("target/resiliency-examples.jar"), FileTime.from(Instant.now()));
        List<String> command =
                new ArrayList<>(List.of(MODULE.resolve("bench.sh").toString(), "scale"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).as(output()).isTrue();
            return process.exitValue();
        } finally {
            process.destroy();
        }
    }

    private String output() throws IOException {
        return Files.readString(directory.resolve("output"));
    }
}
