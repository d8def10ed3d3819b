package dev.resiliency.examples.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Script;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures restarts of this training as a user does. */
@Tag("full")
class TorchBenchIT {
    @Test
    void restartsBesideThoseOfTheTrainingWrittenByHandAreMeasured(@TempDir Path directory) throws Exception {
        JsonNode series = new Script(directory, "bench.sh", "restart")
                .report("--ranks=2", "--runs=1", "--profile=tight", "--training=pytorch,digits")
                .get("series");

        assertThat(series.findValuesAsText("training")).containsExactly("pytorch", "pytorch", "digits", "digits");
        assertThat(series.findValuesAsText("fault")).containsExactly("exception", "kill", "exception", "kill");
        assertThat(series)
                .allSatisfy(each -> assertThat(each.at("/median/firstStep").longValue())
                        .isGreaterThan(each.at("/median/group").longValue()));
    }
}
