package dev.resiliency.examples.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    private static final String SAME_MODEL = "all ranks that should have finished did, with the same model";

    @TempDir
    private static Path directory;

    private static String standIns;

    @BeforeAll
    static void bundle() throws Exception {
        Path sources = MODULE.resolve("../../resiliency-nccl/src/test/resources/native-shim")
                .normalize();
        Path libraries = directory.resolve("libraries");
        program("/bin/sh", sources.resolve("build.sh").toString()).succeed(libraries.toString());
        standIns = "LD_LIBRARY_PATH=" + libraries;

        program("gpu-bundle.sh").succeed();
        String bundle = MODULE.resolve("target/resiliency-gpu-bundle.tar.gz").toString();
        program("/bin/tar", "-C", directory.toString(), "-xzf", bundle).succeed();
    }

    private static Script program(String... command) throws IOException {
        return new Script(Files.createTempDirectory(directory, "run"), command);
    }

    /** Returns a script of the bundle, with these variables alone. */
    private static Script script(String name, String... variables) throws IOException {
        List<String> command = new ArrayList<>(List.of("/usr/bin/env", "-i"));
        command.addAll(List.of(variables));
        command.add(directory.resolve("resiliency-gpu").resolve(name).toString());
        return program(command.toArray(String[]::new));
    }

    @Test
    void machineWithoutGpuReportsWhatIsMissing() throws Exception {
        Script check = script("gpu-check.sh");

        assertThat(check.run()).isEqualTo(1);
        assertThat(check.output())
                .startsWith("error: libcuda.so.1: it cannot be loaded")
                .contains("install the NVIDIA driver")
                .hasLineCount(1);
    }

    @Tag("full")
    @Test
    void checkFillsItsTable() throws Exception {
        String output = script("gpu-check.sh", standIns).succeed();

        assertThat(output.lines().filter(line -> line.contains("| ok |")))
                .as(output)
                .hasSize(CheckPart.values().length);
        assertThat(output).contains("all checks passed").containsPattern("returned [0-9.]+ ms after the abort began");
    }

    @Tag("full")
    @Test
    void trainingSurvivesAnExceptionAndARankWithACorruptedGpuContext() throws Exception {
        String output = script("gpu.sh", standIns)
                .succeed("--ranks=3", "--steps=500", "--fault=exception:2@120", "--fault=gpu-error:1@250");

        assertThat(output)
                .contains("iteration 1: rank 2 of 3 resumes after step 100")
                .containsPattern("rank 1: left: .*health check failed.*cudaErrorIllegalAddress")
                .contains("iteration 2: rank 1 of 2 resumes after step 200")
                .contains(SAME_MODEL);
    }

    @Tag("full")
    @Test
    void trainingSurvivesARankWhoseKernelNeverEnds() throws Exception {
        String output = script("gpu.sh", standIns).succeed("--steps=500", "--fault=gpu-hang:1@250");

        assertThat(output)
                .contains("rank 1: fault gpu-hang:1@250")
                .contains("iteration 1: rank 0 of 1 resumes after step 200")
                .contains(SAME_MODEL);
    }

    @Tag("full")
    @Test
    void trainingSurvivesTheFaultsOfAnyTraining() throws Exception {
        String output = script("gpu.sh", standIns)
                .succeed(
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
                .contains(SAME_MODEL);
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
        Script gpu = script("gpu.sh");

        assertThat(gpu.run("--fault=" + fault)).isEqualTo(2);
        assertThat(gpu.output()).contains(message).hasLineCount(1);
    }
}
