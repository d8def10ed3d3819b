package dev.resiliency.examples.bench.state;

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
class StateBenchIT {
    @TempDir
    private Path directory;

    private Path file;
    private Script bench;

    @BeforeEach
    void setUp() throws Exception {
        file = directory.resolve("report.json");
        bench = new Script(directory, "bench.sh", "state", "--runs=1", "--json=" + file);
    }

    @Tag("full")
    @Test
    void transferIsMeasuredBesideAPlainSocket() throws Exception {
        assertThat(bench.run("--no-faults", "--megabytes=8", "--joiners=1"))
                .as(bench.output())
                .isZero();

        JsonNode report = new ObjectMapper().readTree(file.toFile());
        assertThat(report.get("commitNanos").doubleValue()).isPositive();
        assertThat(report.get("faults")).isEmpty();
        JsonNode row = report.get("transfers").get(0);
        assertThat(row.get("millis").doubleValue()).isPositive();
        assertThat(row.get("gigabytesPerSecond").doubleValue())
                .isEqualTo((8 << 20) / row.get("runs").get(0).get("nanos").doubleValue());
        assertThat(row.get("phases"))
                .hasSize(4)
                .allSatisfy(phase -> assertThat(phase.longValue()).isPositive());
        assertThat(row.get("plainGigabytesPerSecond").doubleValue()).isPositive();
    }

    @Tag("full")
    @Test
    void faultCostsStepsWithoutLiveStateOnly() throws Exception {
        assertThat(bench.run("--megabytes=1", "--joiners=2", "--checkpoint-interval=20", "--ranks=2"))
                .as(bench.output())
                .isZero();

        JsonNode report = new ObjectMapper().readTree(file.toFile());
        assertThat(report.get("faults").findValuesAsText("replacement"))
                .containsExactly("spare", "spare", "fresh", "fresh");
        assertThat(report.get("faults")).allSatisfy(row -> {
            assertThat(row.get("seconds").doubleValue()).isPositive();
            double repeated = row.get("stepsRepeated").doubleValue();
            if (row.get("isLive").booleanValue()) {
                assertThat(repeated).isZero();
            } else {
                assertThat(repeated).isGreaterThanOrEqualTo(10);
            }
        });
    }

    @Test
    void mistakeOfTheUserIsReportedAtOnce() throws Exception {
        assertThat(bench.run("--megabytes=4096")).isEqualTo(2);

        assertThat(bench.output()).startsWith("error: --megabytes: 4096 must be from 1 to 2047");
    }
}
