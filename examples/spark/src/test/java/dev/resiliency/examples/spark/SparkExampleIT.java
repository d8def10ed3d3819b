package dev.resiliency.examples.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Script;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example as a user does: the script, with a real cluster, of which it kills an executor. */
class SparkExampleIT {
    @Test
    void resilientStageRepeatsNoRound(@TempDir Path directory) throws Exception {
        JsonNode stages = new Script(directory, "spark.sh").report().get("stages");

        assertThat(stages.findValuesAsText("stage")).containsExactly("resilient");
        assertThat(stages.get(0).get("secondsToTraining").doubleValue()).isPositive();
        int processes = stages.get(0).get("processes").intValue();
        assertThat(processes).isBetween(3, 4); // the replacement may come too late to train
        int restarts = processes - 2; // one for the kill, and one for the replacement
        assertThat(stages.get(0).get("roundsRepeated").intValue()).isLessThanOrEqualTo(restarts);
    }
}
