package dev.resiliency.examples.xgboost;

import dev.resiliency.examples.job.Script;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures restarts of this training as a user does. */
@Tag("full")
class XGBoostBenchIT {
    @Test
    void restartsBesideThoseOfTheTrainingWrittenByHandAreMeasured(@TempDir Path directory) throws Exception {
        new Script(directory, "bench.sh", "restart").benchBesideDigits("xgboost");
    }
}
