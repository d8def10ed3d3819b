package dev.resiliency.examples.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Script;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a small benchmark as a user does. */
class RestartBenchIT {
    private Script bench;

    @BeforeEach
    void setUp(@TempDir Path directory) throws Exception {
        bench = new Script(directory, "bench.sh", "restart");
    }

    @Tag("full")
    @Test
    void restartsAfterEachKindOfFaultAreMeasured() throws Exception {
        JsonNode report = bench.report(
                "--ranks=2", "--runs=1", "--profile=tight", "--fault=exception,kill,stop-ping,blocked,blocked-read");
        assertThat(report.get("machine").get("cores").intValue()).isPositive();
        assertThat(report.get("series").findValuesAsText("fault"))
                .containsExactly("exception", "kill", "stop-ping", "blocked", "blocked-read");
        assertThat(report.get("series")).allSatisfy(series -> {
            assertThat(series.at("/median/overhead").longValue()).isPositive();
            assertThat(series.at("/median/total").longValue())
                    .isGreaterThanOrEqualTo(series.at("/median/overhead").longValue());
            assertThat(series.at("/median/phases").fieldNames())
                    .toIterable()
                    .containsExactly("LAST_CALL", "ABORT", "STOP", "FINALIZE", "HEALTH_CHECK", "BARRIER", "ASSIGN");
            assertThat(series.get("runs")).hasSize(1);
        });
    }

    @Tag("full")
    @Test
    void replacementOfTheLostRankIsMeasured() throws Exception {
        JsonNode series = bench.report("--ranks=2", "--runs=1", "--profile=tight", "--replace=none,spare,fresh")
                .get("series");
        assertThat(series.findValuesAsText("replace")).containsExactly("none", "spare", "fresh");
        JsonNode without = series.get(0);
        JsonNode spare = series.get(1);
        JsonNode fresh = series.get(2);
        assertThat(without.at("/median/fullWorld").longValue()).isZero();
        assertThat(spare.at("/median/fullWorld").longValue()).isPositive();
        assertThat(fresh.at("/median/fullWorld").longValue())
                .isGreaterThan(fresh.at("/median/total").longValue());
        assertThat(bench.output()).contains("From the fault until the full world runs:");
    }

    @Tag("full")
    @Test
    void firstStepOfATrainingIsMeasured() throws Exception {
        JsonNode series = bench.report("--ranks=2", "--runs=1", "--profile=tight", "--fault=kill", "--training=digits")
                .get("series")
                .get(0);
        assertThat(series.get("training").textValue()).isEqualTo("digits");
        assertThat(series.at("/median/group").longValue())
                .isGreaterThan(series.at("/median/overhead").longValue());
        assertThat(series.at("/median/firstStep").longValue())
                .isGreaterThan(series.at("/median/group").longValue());
        assertThat(bench.output()).containsPattern("(?m)^kill +tight +none +2 \\| digits +( +[\\d.]+){5}$");
    }

    @Tag("full")
    @Test
    void newProcessRecoversTheStateFromTheOthers() throws Exception {
        JsonNode series = bench.report("--ranks=2", "--runs=1", "--profile=tight", "--state=8")
                .get("series")
                .get(0);
        assertThat(series.get("replace").textValue()).isEqualTo("fresh");
        assertThat(series.at("/median/recovery").longValue()).isPositive();
    }

    @Tag("full")
    @Test
    void restartsOfSimulatedJobsOfSeveralSizesAreMeasured() throws Exception {
        // Enough restarts for the ranks to acknowledge received frames several times.
        JsonNode report = bench.report("--simulated=64,128", "--runs=1");
        assertThat(report.get("series").findValuesAsText("ranks")).containsExactly("64", "128");
        for (JsonNode series : report.get("series")) {
            assertThat(series.at("/plain/counted")).hasSize(5);
            assertThat(series.at("/agreed/counted")).hasSize(5);
            assertThat(series.get("hostLost").doubleValue()).isPositive();
        }
    }
}
