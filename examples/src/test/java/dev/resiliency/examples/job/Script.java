package dev.resiliency.examples.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.testing.Diagnosis;
import dev.resiliency.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** Runs a script of the examples, or another program, as a user does. Its temporary files and its output stay in a directory of the test. */
public final class Script {
    /** Time limit of a script, also beside other builds. */
    public static final Duration LIMIT = Duration.ofMinutes(10);

    /** The directory of the program whose tests run. */
    private static final Path PROGRAM =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize();

    private final List<String> command = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private final Path temporary;
    private final Path output;

    /**
     * Creates a script that is not started yet.
     *
     * @param directory of the test
     * @param command the script's name, or the path of another program, and the first of its arguments
     */
    public Script(Path directory, String... command) throws IOException {
        this.command.addAll(List.of(command));
        this.command.set(0, PROGRAM.resolveSibling(command[0]).toString());
        temporary = Files.createDirectory(directory.resolve("tmp"));
        output = directory.resolve("output");
        environment.put("TMPDIR", temporary.toString());
    }

    /** Sets an environment variable. */
    public Script with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Starts it with additional arguments. */
    public Process start(String... arguments) throws IOException {
        // Tests send it SIGINT, which is ignored in the background of a script, and so by all children.
        List<String> all = new ArrayList<>(List.of("env", "--default-signal=INT"));
        all.addAll(command);
        all.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Runs it to its end; returns its exit code. */
    public int run(String... arguments) throws IOException, InterruptedException {
        return exitCode(start(arguments));
    }

    /** Runs it to its end, which must be that of success; returns its output. */
    public String succeed(String... arguments) throws IOException, InterruptedException {
        assertThat(run(arguments)).as(this::output).isZero();
        return output();
    }

    /** Runs it to its end, which must be that of success; returns the report that it writes as JSON. */
    public JsonNode report(String... arguments) throws IOException, InterruptedException {
        Path file = output.resolveSibling("report.json");
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json=" + file);
        succeed(all.toArray(String[]::new));
        return Json.MAPPER.readTree(file.toFile());
    }

    /** Runs a demo to its end, of which nothing may be left; returns its report. */
    public JsonNode demo(String... arguments) throws IOException, InterruptedException {
        JsonNode report = report(arguments);
        assertThat(output()).doesNotContain("FAILED");
        assertThat(filesLeft()).isEmpty();
        return report;
    }

    /** Runs a demo with its default faults: the others must survive the exception, the kill, and the suspension. */
    public JsonNode demoOfThreeFaults() throws IOException, InterruptedException {
        JsonNode report = demo();
        assertThat(report.get("ranks").intValue()).isEqualTo(4);
        assertThat(report.get("survivors").intValue()).isEqualTo(2);
        assertThat(report.get("restarts").findValuesAsText("cause")).containsExactly("exception", "kill", "sigstop");
        assertThat(report.get("restarts").findValuesAsText("stateFrom")).isSubsetOf("memory", "peers");
        assertThat(report.get("stepsLost").intValue()).isZero();
        return report;
    }

    /** Runs a demo of four ranks with {@code --replace}: the one that is killed must be there again, and no step be lost. */
    public JsonNode demoOfAReplacement(String... arguments) throws IOException, InterruptedException {
        JsonNode report = demo(arguments);
        assertThat(report.get("survivors").intValue()).isEqualTo(4);
        assertThat(report.get("worldSizeAtEnd").intValue()).isEqualTo(4);
        assertThat(report.get("joins")).hasSize(1);
        assertThat(report.get("stepsLost").intValue()).isZero();
        return report;
    }

    /** Measures restarts of a training beside those of the one written by hand, with {@code bench.sh restart}. */
    public void benchBesideDigits(String training) throws IOException, InterruptedException {
        JsonNode series = report("--ranks=2", "--runs=1", "--profile=tight", "--training=" + training + ",digits")
                .get("series");
        assertThat(series.findValuesAsText("training")).containsExactly(training, training, "digits", "digits");
        assertThat(series.findValuesAsText("fault")).containsExactly("exception", "kill", "exception", "kill");
        assertThat(series)
                .allSatisfy(each -> assertThat(each.at("/median/firstStep").longValue())
                        .isGreaterThan(each.at("/median/group").longValue()));
    }

    /** Waits for its end; returns its exit code. */
    public int exitCode(Process started) throws InterruptedException {
        try {
            assertThat(started.waitFor(Patience.stretch(LIMIT).toSeconds(), TimeUnit.SECONDS))
                    .as(() -> "does not end\n" + describe(started))
                    .isTrue();
            return started.exitValue();
        } finally {
            started.destroy();
        }
    }

    /** Waits until its output contains a text. */
    public void awaitOutput(Process started, String text) {
        try {
            await().atMost(Patience.stretch(LIMIT)).until(() -> output().contains(text));
        } catch (ConditionTimeoutException inVain) {
            throw new AssertionError("does not say \"" + text + "\"\n" + describe(started), inVain);
        }
    }

    private String describe(Process started) {
        return output() + "\n" + Diagnosis.of(started.toHandle());
    }

    /** Returns its output so far. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the temporary files that exist. */
    public List<String> filesLeft() throws IOException {
        try (Stream<Path> files = Files.walk(temporary)) {
            return files.filter(file -> !file.equals(temporary))
                    .map(Path::toString)
                    .toList();
        }
    }
}
