package dev.resiliency.examples.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Json;
import dev.resiliency.examples.job.Script;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example as a user does: the script, with a real cluster, of which it kills an executor. */
class SparkExampleIT {
    @Test
    void resilientStageRepeatsNoRound(@TempDir Path directory) throws Exception {
        Path report = directory.resolve("report.json");
        Script script = new Script(directory, "spark.sh");

        assertThat(script.run("--json=" + report)).as(script::output).isZero();

        JsonNode stages = Json.MAPPER.readTree(report.toFile()).get("stages");
        assertThat(stages.findValuesAsText("stage")).containsExactly("resilient");
        assertThat(stages.get(0).get("secondsToTraining").doubleValue()).isPositive();
        int processes = stages.get(0).get("processes").intValue();
        assertThat(processes).isBetween(3, 4); // the replacement may come too late to train
        int restarts = processes - 2; // one for the kill, and one for the replacement
        assertThat(stages.get(0).get("roundsRepeated").intValue()).isLessThanOrEqualTo(restarts);
    }
}
