package dev.resiliency.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.bench.store.MeasuredServer;
import dev.resiliency.examples.job.Script;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs small benchmarks as a user does. */
class BenchIT {
    private static final String[] SMALL = {"restart", "--ranks=2", "--runs=1", "--profile=tight"};

    @TempDir
    private Path directory;

    private Script bench(String... command) throws IOException {
        return new Script(
                directory,
                Stream.concat(Stream.of("bench.sh"), Stream.of(command)).toArray(String[]::new));
    }

    private static long nanos(JsonNode series, String median) {
        return series.at("/median/" + median).longValue();
    }

    @Tag("full")
    @Test
    void restartsAfterEachKindOfFaultAreMeasured() throws Exception {
        JsonNode report = bench(SMALL).report("--fault=exception,kill,stop-ping,blocked,blocked-read");

        assertThat(report.at("/machine/cores").intValue()).isPositive();
        assertThat(report.get("series").findValuesAsText("fault"))
                .containsExactly("exception", "kill", "stop-ping", "blocked", "blocked-read");
        assertThat(report.get("series")).allSatisfy(series -> {
            assertThat(nanos(series, "overhead")).isPositive().isLessThanOrEqualTo(nanos(series, "total"));
            assertThat(series.at("/median/phases").fieldNames())
                    .toIterable()
                    .containsExactly("LAST_CALL", "ABORT", "STOP", "FINALIZE", "HEALTH_CHECK", "BARRIER", "ASSIGN");
            assertThat(series.get("runs")).hasSize(1);
        });
    }

    @Tag("full")
    @Test
    void replacementOfTheLostRankIsMeasured() throws Exception {
        Script bench = bench(SMALL);
        JsonNode series = bench.report("--replace=none,spare,fresh").get("series");

        assertThat(series.findValuesAsText("replace")).containsExactly("none", "spare", "fresh");
        assertThat(nanos(series.get(0), "fullWorld")).isZero();
        assertThat(nanos(series.get(1), "fullWorld")).isPositive();
        assertThat(nanos(series.get(2), "fullWorld")).isGreaterThan(nanos(series.get(2), "total"));
        assertThat(bench.output()).contains("From the fault until the full world runs:");
    }

    @Tag("full")
    @Test
    void firstStepOfATrainingIsMeasured() throws Exception {
        Script bench = bench(SMALL);
        JsonNode series = bench.report("--fault=kill", "--training=digits").at("/series/0");

        assertThat(series.get("training").textValue()).isEqualTo("digits");
        assertThat(nanos(series, "group")).isBetween(nanos(series, "overhead") + 1, nanos(series, "firstStep") - 1);
        assertThat(bench.output()).containsPattern("(?m)^kill +tight +none +2 \\| digits +( +[\\d.]+){5}$");
    }

    @Tag("full")
    @Test
    void newProcessRecoversTheStateFromTheOthers() throws Exception {
        JsonNode series = bench(SMALL).report("--state=8").at("/series/0");

        assertThat(series.get("replace").textValue()).isEqualTo("fresh");
        assertThat(nanos(series, "recovery")).isPositive();
    }

    @Tag("full")
    @Test
    void restartsOfSimulatedJobsOfSeveralSizesAreMeasured() throws Exception {
        // Enough restarts for the ranks to acknowledge received frames several times.
        JsonNode series =
                bench("restart").report("--simulated=64,128", "--runs=1").get("series");

        assertThat(series.findValuesAsText("ranks")).containsExactly("64", "128");
        assertThat(series).allSatisfy(each -> {
            assertThat(each.at("/plain/counted")).hasSize(5);
            assertThat(each.at("/agreed/counted")).hasSize(5);
            assertThat(each.get("hostLost").doubleValue()).isPositive();
        });
    }

    @Tag("full")
    @Test
    void eachReplacementOfALaunchedRankIsMeasured() throws Exception {
        Script bench = bench("launch");
        JsonNode series = bench.report("--ranks=2", "--runs=1").get("series");

        assertThat(series.findValuesAsText("replacement")).containsExactly("spare", "fresh", "hard");
        assertThat(nanos(series.get(0), "untilStart")).isZero();
        for (int i = 1; i < series.size(); i++) {
            assertThat(nanos(series.get(i), "untilStart"))
                    .as("with the agent's pause")
                    .isBetween(1_000_000_000L, nanos(series.get(i), "total"));
        }
        assertThat(bench.filesLeft()).isEmpty();
    }

    @Tag("full")
    @Test
    void everyFigureOfTheStoreIsMeasured() throws Exception {
        Script bench = bench("store");
        JsonNode report = bench.report("--clients=64", "--rounds=1", "--idle=1");

        assertThat(report.get("clients").intValue()).isEqualTo(64);
        assertThat(report.at("/machine/cores").intValue()).isPositive();
        assertThat(report.get("figures")).hasSize(9).allSatisfy(figure -> {
            String name = figure.get("name").textValue();
            assertThat(figure.get("median").doubleValue()).isGreaterThanOrEqualTo(name.equals("HEARTBEATS") ? 0 : 1e-3);
            assertThat(figure.has("ratioToFloor")).isEqualTo(name.equals("FAN_OUT"));
            assertThat(bench.output()).contains(figure.get("title").textValue());
        });
        assertThat(bench.output()).contains("64 clients");
    }

    @Test
    void mistakeOfTheUserIsReportedAtOnce() throws Exception {
        Script bench = bench("store");

        assertThat(bench.run("--clients=2000000")).isEqualTo(2);
        assertThat(bench.output())
                .isEqualTo("error: --clients is 2000000: it must be from 2 to %d (see --help)\n"
                        .formatted(MeasuredServer.mostClients()));
    }
}
