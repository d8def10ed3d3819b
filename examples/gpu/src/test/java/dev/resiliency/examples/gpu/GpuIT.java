package dev.resiliency.examples.gpu;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the GPU examples as they are shipped: packed with a Java runtime, with an empty environment, and with fake
 * libraries in place of those of a GPU.
 */
class GpuIT {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath();

    @TempDir
    private static Path directory;

    private static Map<String, String> standIns;

    @BeforeAll
    static void bundle() throws Exception {
        Path sources = MODULE.resolve("../../resiliency-nccl/src/test/resources/native-shim")
                .normalize();
        Path libraries = directory.resolve("libraries");
        run(System.getenv(), "sh", sources.resolve("build.sh").toString(), libraries.toString());
        standIns = Map.of("LD_LIBRARY_PATH", libraries.toString());

        run(System.getenv(), MODULE.resolveSibling("gpu-bundle.sh").toString());
        run(
                System.getenv(),
                "tar",
                "-C",
                directory.toString(),
                "-xzf",
                MODULE.resolve("target/resiliency-gpu-bundle.tar.gz").toString());
    }

    @Test
    void machineWithoutGpuReportsWhatIsMissing() throws Exception {
        Result result = start(Map.of(), script("gpu-check.sh"));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output())
                .startsWith("error: libcuda.so.1: it cannot be loaded")
                .contains("install the NVIDIA driver")
                .hasLineCount(1);
    }

    @Tag("full")
    @Test
    void checkFillsItsTable() {
        String output = run(standIns, script("gpu-check.sh"));

        assertThat(output.lines().filter(line -> line.contains("| ok |")))
                .as(output)
                .hasSize(CheckPart.values().length);
        assertThat(output).contains("all checks passed").containsPattern("returned [0-9.]+ ms after the abort began");
    }

    @Tag("full")
    @Test
    void trainingSurvivesAnExceptionAndARankWithACorruptedGpuContext() {
        String output = run(
                standIns,
                script("gpu.sh"),
                "--ranks=3",
                "--steps=500",
                "--fault=exception:2@120",
                "--fault=gpu-error:1@250");

        assertThat(output)
                .contains("iteration 1: rank 2 of 3 resumes after step 100")
                .containsPattern("rank 1: left: .*health check failed.*cudaErrorIllegalAddress")
                .contains("iteration 2: rank 1 of 2 resumes after step 200")
                .contains("all ranks that should have finished did, with the same model");
    }

    @Tag("full")
    @Test
    void trainingSurvivesARankWhoseKernelNeverEnds() {
        String output = run(standIns, script("gpu.sh"), "--steps=500", "--fault=gpu-hang:1@250");

        assertThat(output)
                .contains("rank 1: fault gpu-hang:1@250")
                .contains("iteration 1: rank 0 of 1 resumes after step 200")
                .contains("all ranks that should have finished did, with the same model");
    }

    @Tag("full")
    @Test
    void trainingSurvivesTheFaultsOfAnyTraining() {
        String output = run(
                standIns,
                script("gpu.sh"),
                "--ranks=4",
                "--steps=500",
                "--fault=async-exception:1@120",
                "--fault=stop-ping:2@150",
                "--fault=sigsegv:1@220",
                "--fault=out-of-memory:2@320",
                "--fault=host-loss:3@420");

        assertThat(output)
                .contains("rank 2: fault stop-ping:2@150")
                .containsPattern("rank 2: left: .*OutOfMemoryError")
                .containsPattern("iteration [0-9]+: rank 0 of 1 resumes after step 400")
                .contains("all ranks that should have finished did, with the same model");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpu-error:0@5 | gpu-error:0@5: choose a rank other than 0, which hosts the store",
                "gpu-hang:1@2s | 'gpu-hang:1@2s' is not gpu-hang:RANK@STEP",
                "meteor:1@5 | 'meteor' is not a kind of fault; use one of exception, error,",
                "kill:5@5 | kill:5@5: there is no rank 5, ranks go from 0 to 1",
            })
    void mistakeOfTheUserIsReportedAtOnce(String fault, String message) throws Exception {
        Result result = start(Map.of(), script("gpu.sh"), "--fault=" + fault);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.output()).contains(message).hasLineCount(1);
    }

    private static String script(String name) {
        return directory.resolve("resiliency-gpu").resolve(name).toString();
    }

    private record Result(int exitCode, String output) {}

    private static String run(Map<String, String> variables, String... command) {
        try {
            Result result = start(variables, command);
            assertThat(result.exitCode()).as(result.output()).isZero();
            return result.output();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Result start(Map<String, String> variables, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of(command)).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(variables);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Result(process.waitFor(), output);
    }
}
