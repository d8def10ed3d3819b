package dev.resiliency.examples.bench.restart;

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
class RestartBenchIT {
    @TempDir
    private Path directory;

    private Script bench;

    @BeforeEach
    void setUp() throws Exception {
        bench = new Script(directory, "bench.sh", "restart");
    }

    @Tag("full")
    @Test
    void restartsAfterEachKindOfFaultAreMeasured() throws Exception {
        Path file = directory.resolve("report.json");

        int exitCode = bench.run(
                "--ranks=2",
                "--runs=1",
                "--profile=tight",
                "--fault=exception,kill,stop-ping,blocked,blocked-read",
                "--json=" + file);

        assertThat(exitCode).as(bench.output()).isZero();
        JsonNode report = new ObjectMapper().readTree(file.toFile());
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
        assertThat(bench.output()).contains("exception tight: run 1 of 1: ");
    }

    @Tag("full")
    @Test
    void replacementOfTheLostRankIsMeasured() throws Exception {
        Path file = directory.resolve("report.json");

        int exitCode = bench.run(
                "--ranks=2", "--runs=1", "--profile=tight", "--replace=spare", "--replace=fresh", "--json=" + file);

        assertThat(exitCode).as(bench.output()).isZero();
        JsonNode series = new ObjectMapper().readTree(file.toFile()).get("series");
        assertThat(series.findValuesAsText("replace")).containsExactly("none", "spare", "fresh");
        JsonNode without = series.get(0);
        JsonNode spare = series.get(1);
        JsonNode fresh = series.get(2);
        assertThat(without.at("/median/fullWorld").isNull()).isTrue();
        assertThat(spare.at("/median/fullWorld").longValue()).isPositive();
        assertThat(spare.get("ratio").doubleValue())
                .isEqualTo(spare.at("/median/fullWorld").doubleValue()
                        / without.at("/median/total").doubleValue());
        assertThat(fresh.at("/median/fullWorld").longValue())
                .isGreaterThan(fresh.at("/median/total").longValue());
        assertThat(fresh.at("/median/parts").fieldNames())
                .toIterable()
                .containsExactly("EXIT", "JVM_START", "CONNECTION", "MONITOR_PROCESS", "ADMISSION", "RESTART");
        assertThat(bench.output())
                .contains("From the fault until the full world runs:", "kill tight fresh: run 1 of 1: ");
    }

    @Tag("full")
    @Test
    void firstStepOfATrainingIsMeasured() throws Exception {
        Path file = directory.resolve("report.json");

        int exitCode = bench.run(
                "--ranks=2", "--runs=1", "--profile=tight", "--fault=kill", "--training=digits", "--json=" + file);

        assertThat(exitCode).as(bench.output()).isZero();
        JsonNode series =
                new ObjectMapper().readTree(file.toFile()).get("series").get(0);
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
        Path file = directory.resolve("report.json");

        int exitCode = bench.run("--ranks=2", "--runs=1", "--profile=tight", "--state=8", "--json=" + file);

        assertThat(exitCode).as(bench.output()).isZero();
        JsonNode series =
                new ObjectMapper().readTree(file.toFile()).get("series").get(0);
        assertThat(series.get("replace").textValue()).isEqualTo("fresh");
        JsonNode recovery = series.at("/median/recovery");
        assertThat(recovery.get("bytes").longValue()).isPositive();
        assertThat(recovery.get("all").longValue())
                .isGreaterThanOrEqualTo(recovery.get("agree").longValue()
                        + recovery.get("connect").longValue()
                        + recovery.get("bytes").longValue());
        assertThat(bench.output()).containsPattern("(?m)^kill +tight +fresh +2 \\| state-8 +( +[\\d.]+){6}$");
    }

    @Tag("full")
    @Test
    void restartsOfSimulatedJobsOfSeveralSizesAreMeasured() throws Exception {
        Path file = directory.resolve("report.json");

        // Enough restarts for the ranks to acknowledge received frames several times.
        int exitCode = bench.run("--simulated=64,128", "--runs=1", "--json=" + file);

        assertThat(exitCode).as(bench.output()).isZero();
        JsonNode report = new ObjectMapper().readTree(file.toFile());
        assertThat(report.get("series").findValuesAsText("ranks")).containsExactly("64", "128");
        for (JsonNode series : report.get("series")) {
            assertThat(series.get("jobs").get(0).get("restarts"))
                    .hasSize(5)
                    .allSatisfy(RestartBenchIT::assertIsInOrder);
            // Request, notification, arrival, answer; on one rank also a fault and its answer.
            assertThat(series.at("/first/messages").doubleValue())
                    .isEqualTo(4 + 2.0 / (series.get("ranks").intValue() - 1));
            assertThat(series.at("/median/bytes").doubleValue()).isBetween(200.0, 2000.0);
            assertThat(series.get("ratio").doubleValue()).isPositive();
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
    void numberOfSimulatedRanksIsLimited() throws Exception {
        assertThat(bench.run("--simulated=20000")).isEqualTo(2);

        assertThat(bench.output()).startsWith("error: --simulated: 20000 must be from 4 to 19000");
    }

    @Test
    void unknownTrainingIsAMistake() throws Exception {
        assertThat(bench.run("--training=digit")).isEqualTo(2);

        assertThat(bench.output())
                .startsWith("error: --training: there is no training digit, but none, digits, pytorch");
    }

    @Test
    void faultThatItsRankSurvivesNeedsNoReplacement() throws Exception {
        assertThat(bench.run("--replace=fresh", "--fault=exception")).isEqualTo(2);

        assertThat(bench.output()).startsWith("error: --replace: exception does not cost its rank");
    }

    @Test
    void mistakeOfTheUserIsReportedAtOnce() throws Exception {
        assertThat(bench.run("--ranks=1")).isEqualTo(2);

        assertThat(bench.output()).startsWith("error: --ranks must be at least 2");
    }
}
