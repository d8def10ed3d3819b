package dev.resiliency.examples.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.resiliency.examples.job.Script;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a small benchmark as a user does. */
class LaunchBenchIT {
    @TempDir
    private Path directory;

    private Script bench;

    @BeforeEach
    void setUp() throws Exception {
        bench = new Script(directory, "bench.sh", "launch");
    }

    @Tag("full")
    @Test
    void eachReplacementOfARankIsMeasured() throws Exception {
        Path file = directory.resolve("report.json");

        int exitCode = bench.run("--ranks=2", "--runs=1", "--json=" + file);

        assertThat(exitCode).as(bench.output()).isZero();
        JsonNode series = new ObjectMapper().readTree(file.toFile()).get("series");
        assertThat(series.findValuesAsText("replacement")).containsExactly("spare", "fresh", "hard");
        assertThat(series.get(0).at("/median/untilStart").longValue()).isZero();
        for (int i = 1; i < series.size(); i++) {
            JsonNode median = series.get(i).get("median");
            assertThat(median.get("untilStart").longValue())
                    .as("with the agent's pause")
                    .isBetween(1_000_000_000L, median.get("total").longValue());
        }
        assertThat(bench.filesLeft()).isEmpty();
    }

    @Test
    void mistakeOfTheUserIsReportedAtOnce() throws Exception {
        assertThat(bench.run("--ranks=1")).isEqualTo(2);

        assertThat(bench.output()).startsWith("error: --ranks must be at least 2, since rank 1 is killed");
    }
}
