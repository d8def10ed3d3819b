package dev.resiliency.examples.bench.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Script;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a small benchmark as a user does. */
class StoreBenchmarkIT {
    private Script bench;

    @BeforeEach
    void setUp(@TempDir Path directory) throws Exception {
        bench = new Script(directory, "bench.sh", "store");
    }

    @Tag("full")
    @Test
    void everyFigureIsMeasured() throws Exception {
        JsonNode report = bench.report("--clients=64", "--rounds=1", "--idle=1");
        assertThat(report.get("clients").intValue()).isEqualTo(64);
        assertThat(report.get("machine").get("cores").intValue()).isPositive();
        assertThat(report.get("figures").findValuesAsText("name"))
                .containsExactly(names(Figure.values()).toArray(String[]::new));
        for (JsonNode figure : report.get("figures")) {
            assertThat(figure.get("median").doubleValue())
                    .as("%s", figure)
                    .isGreaterThanOrEqualTo(figure.get("name").textValue().equals("HEARTBEATS") ? 0 : 1e-3);
            assertThat(figure.has("ratioToFloor"))
                    .as("%s", figure)
                    .isEqualTo(figure.get("name").textValue().equals("FAN_OUT"));
        }
        assertThat(bench.output()).contains("64 clients").contains(titles(Figure.values()));
    }

    @Test
    void mistakeOfTheUserIsReportedAtOnce() throws Exception {
        assertThat(bench.run("--clients=20000")).isEqualTo(2);

        assertThat(bench.output()).isEqualTo("error: --clients is 20000: it must be from 2 to 19000 (see --help)\n");
    }

    private static List<String> names(Figure... figures) {
        return List.of(figures).stream().map(Figure::name).toList();
    }

    private static List<String> titles(Figure... figures) {
        return List.of(figures).stream().map(Figure::title).toList();
    }
}
