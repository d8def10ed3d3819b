package dev.resiliency.examples.bench.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the benchmark as a user does, small. */
class StoreBenchmarkIT {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
    private static final Set<String> FLOOR_FIGURES = Set.of("BARRIER_LAST", "FAN_OUT");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"cc", "/no/such/compiler"})
    void everyFigureIsMeasuredWithAndWithoutACompiler(String compiler) throws Exception {
        Path file = directory.resolve("report.json");

        int exitCode = run(compiler, "--clients=64", "--rounds=1", "--idle=1", "--json=" + file);

        assertThat(exitCode).as(output()).isZero();
        JsonNode report = new ObjectMapper().readTree(file.toFile());
        assertThat(report.get("clients").intValue()).isEqualTo(64);
        assertThat(report.get("machine").get("cores").intValue()).isPositive();
        assertThat(report.get("figures").findValuesAsText("name"))
                .containsExactly(names(Figure.values()).toArray(String[]::new));
        for (JsonNode figure : report.get("figures")) {
            assertThat(figure.at("/servers/ours/median").doubleValue())
                    .as("%s", figure)
                    .isGreaterThanOrEqualTo(figure.get("name").textValue().equals("HEARTBEATS") ? 0 : 1e-3);
            assertThat(figure.has("ratioToFloor"))
                    .as("%s", figure)
                    .isEqualTo(FLOOR_FIGURES.contains(figure.get("name").textValue()));
        }
        assertThat(output()).contains("64 clients").contains(titles(Figure.values()));
        assertThat(output().contains("Java writes the floor")).isEqualTo(!compiler.equals("cc"));
    }

    @Test
    void mistakeOfTheUserIsToldAtOnce() throws Exception {
        assertThat(run("cc", "--clients=20000")).isEqualTo(2);

        assertThat(output()).isEqualTo("error: --clients is 20000: it must be from 2 to 19000 (--help tells more)\n");
    }

    private int run(String compiler, String... options) throws IOException, InterruptedException {
        // It was built just now, even if there was nothing to change; the script need not build it again.
        Files.setLastModifiedTime(MODULE.resolve("target/resiliency-examples.jar"), FileTime.from(Instant.now()));
        List<String> command =
                new ArrayList<>(List.of(MODULE.resolve("bench.sh").toString(), "store"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile());
        builder.environment().put("CC", compiler);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).as(output()).isTrue();
            return process.exitValue();
        } finally {
            process.destroy();
        }
    }

    private String output() throws IOException {
        return Files.readString(directory.resolve("output"));
    }

    private static List<String> names(Figure... figures) {
        return List.of(figures).stream().map(Figure::name).toList();
    }

    private static List<String> titles(Figure... figures) {
        return List.of(figures).stream().map(Figure::title).toList();
    }
}
