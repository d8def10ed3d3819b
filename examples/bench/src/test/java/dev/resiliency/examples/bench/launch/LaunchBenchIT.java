package dev.resiliency.examples.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Script;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a small benchmark as a user does. */
class LaunchBenchIT {
    private Script bench;

    @BeforeEach
    void setUp(@TempDir Path directory) throws Exception {
        bench = new Script(directory, "bench.sh", "launch");
    }

    @Tag("full")
    @Test
    void eachReplacementOfARankIsMeasured() throws Exception {
        JsonNode series = bench.report("--ranks=2", "--runs=1").get("series");
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
}
