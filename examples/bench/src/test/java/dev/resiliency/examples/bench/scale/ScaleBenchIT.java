package dev.resiliency.examples.bench.scale;

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
class ScaleBenchIT {
    @TempDir
    private Path directory;

    private Script bench;

    @BeforeEach
    void setUp() throws Exception {
        bench = new Script(directory, "bench.sh", "scale");
    }

    @Tag("full")
    @Test
    void restartsOfJobsOfSeveralSizesAreMeasured() throws Exception {
        Path file = directory.resolve("report.json");

        // Enough restarts for the ranks to acknowledge received frames once.
        int exitCode = bench.run("--ranks=64,128", "--jobs=2", "--warmup=1", "--restarts=5", "--json=" + file);

        assertThat(exitCode).as(bench.output()).isZero();
        JsonNode report = new ObjectMapper().readTree(file.toFile());
        assertThat(report.get("machine").get("cores").intValue()).isPositive();
        assertThat(report.get("rows").findValuesAsText("ranks")).containsExactly("64", "128");
        for (JsonNode row : report.get("rows")) {
            assertThat(row.get("jobs")).hasSize(2).allSatisfy(job -> {
                assertThat(job.get("restarts")).hasSize(5).allSatisfy(ScaleBenchIT::assertIsInOrder);
                assertThat(job.get("ratio").doubleValue()).isPositive();
            });
            // Request, notification, arrival, answer; on one rank also a fault and its answer.
            assertThat(row.at("/first/messages").doubleValue())
                    .isEqualTo(4 + 2.0 / (row.get("ranks").intValue() - 1));
            assertThat(row.at("/median/bytes").doubleValue()).isBetween(200.0, 2000.0);
            assertThat(row.get("ratio").doubleValue()).isPositive();
        }
    }

    private static void assertIsInOrder(JsonNode restart) {
        assertThat(restart.get("notified").longValue()).isPositive();
        assertThat(restart.get("allStopped").longValue())
                .isGreaterThan(restart.get("notified").longValue());
        assertThat(restart.get("assigned").longValue())
                .isGreaterThan(restart.get("allStopped").longValue());
        assertThat(restart.get("total").longValue())
                .isGreaterThan(restart.get("assigned").longValue());
    }

    @Test
    void mistakeOfTheUserIsReportedAtOnce() throws Exception {
        assertThat(bench.run("--ranks=20000")).isEqualTo(2);

        assertThat(bench.output()).startsWith("error: --ranks: 20000 must be from 4 to 19000");
    }
}
