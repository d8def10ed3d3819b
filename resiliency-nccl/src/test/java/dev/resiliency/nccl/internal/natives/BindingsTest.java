package dev.resiliency.nccl.internal.natives;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.nccl.NativeShim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finds the libraries of a host through the real JavaCPP, each time in a process of its own. */
@Timeout(60)
class BindingsTest {
    private final NativeShim shim = NativeShim.compile("-DOLD");
    private final Map<String, String> variables = new TreeMap<>();
    private Map<String, String> properties;

    @BeforeEach
    void librariesByTheirPaths() {
        properties = shim.properties();
    }

    @Test
    void librariesAreFoundByExplicitPaths() throws Exception {
        assertThat(probe("cuda", "nccl", "nvml"))
                .containsExactly("cuda: sees 2 devices", "nccl: version 2.29.7", "nvml: driver 580.00-shim");
    }

    @Test
    void librariesAreFoundBySonameWhereTheLinkerSearches() throws Exception {
        properties = Map.of();
        variables.put("LD_LIBRARY_PATH", shim.directory().toString());

        assertThat(probe("nccl", "nvml")).containsExactly("nccl: version 2.29.7", "nvml: driver 580.00-shim");
    }

    @Test
    void variableNamesALibraryOfAWheel() throws Exception {
        Path wheel = Files.createDirectories(shim.directory().resolve("site-packages/nvidia/nccl/lib"));
        Path nccl = Files.move(shim.directory().resolve("libnccl.so.2"), wheel.resolve("libnccl.so.2"));
        properties.remove("resiliency.libnccl");
        variables.put("RESILIENCY_LIBNCCL", nccl.toString());

        assertThat(probe("nccl")).containsExactly("nccl: version 2.29.7");
    }

    @Test
    void missingDriverIsNamedWithWhatToDo() throws Exception {
        properties = Map.of();
        Files.delete(shim.directory().resolve("libcuda.so.1"));
        variables.put("LD_LIBRARY_PATH", shim.directory().toString());

        assertThat(probe("cuda", "cuda", "nccl"))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line)
                        .contains("unavailable: libcuda.so.1: it cannot be loaded from libcuda.so.1: ")
                        .contains("No such file or directory")
                        .contains("install the NVIDIA driver")
                        .contains("resiliency.libcuda")
                        .contains("RESILIENCY_LIBCUDA"));
    }

    @Test
    void jarsForAnotherCudaVersionAreNamed() throws Exception {
        int other = CudaBinding.cudaVersion() == 13 ? 12 : 13;
        properties = Map.of();
        variables.put("LD_LIBRARY_PATH", shim.directory().toString());
        variables.put(
                "RESILIENCY_LIBCUDART",
                shim.directory().resolve("libcudart.so." + other).toString());
        Path wanted = shim.directory().resolve("libcudart.so." + CudaBinding.cudaVersion());
        Files.writeString(wanted, "so the linker does not look for it elsewhere");

        assertThat(probe("cuda").get(0))
                .contains("unavailable: libcudart.so." + CudaBinding.cudaVersion() + ": it cannot be loaded from ")
                .contains("org.bytedeco:cuda:12.9-9.10-1.5.12 with javacpp:1.5.12 for CUDA 12")
                .contains("org.bytedeco:cuda:13.1-9.19-1.5.13 with javacpp:1.5.13 for CUDA 13");
    }

    @Test
    void driverThatIsTooOldForTheRuntimeIsReported() throws Exception {
        shim.set("cudaGetDeviceCount", "fail:35");
        shim.set("cuda.driver", 11080);

        assertThat(probe("device").get(0))
                .contains("unavailable: the driver is too old: it supports CUDA 11.8, but ")
                .contains("install the NVIDIA driver (580 or newer for CUDA 13, 525 or newer for CUDA 12)");
    }

    @Test
    void missingFileIsNamedWithItsProperty() throws Exception {
        properties.put("resiliency.libnccl", "/nowhere/libnccl.so.2");

        assertThat(probe("cuda", "nccl")).first().isEqualTo("cuda: sees 2 devices");
        assertThat(probe("nccl").get(0))
                .contains("there is no file /nowhere/libnccl.so.2")
                .contains("resiliency.libnccl");
    }

    @Test
    void missingManagementLibraryLeavesTheOthersUsable() throws Exception {
        properties.put("resiliency.libnvidia-ml", "/nowhere/libnvidia-ml.so.1");

        assertThat(probe("nvml", "nccl"))
                .satisfiesExactly(
                        line -> assertThat(line).contains("unavailable: libnvidia-ml.so.1"),
                        line -> assertThat(line).isEqualTo("nccl: version 2.29.7"));
    }

    @Test
    void libraryThatIsTooOldIsNamedWithTheMissingSymbol() throws Exception {
        NativeShim lacking = NativeShim.compile("-DncclGetVersion=ncclGetNothing");
        properties.put(
                "resiliency.libnccl",
                lacking.directory().resolve("libnccl.so.2").toString());

        assertThat(probe("nccl").get(0)).contains("libnccl.so.2: it has no symbol ncclGetVersion: it is too old");
    }

    @Test
    void newerCallIsRefusedByAnOlderNcclInsteadOfEndingTheProcess() throws Exception {
        shim.set("nccl.version", 22605);

        assertThat(probe("shrink", "nccl"))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains(
                                        "has no ncclCommShrink: it is NCCL 2.26.5, and the function exists since 2.27"),
                        line -> assertThat(line).isEqualTo("nccl: version 2.26.5"));
    }

    @Test
    void ncclThatCrashesInAnAbortCausesAWarning() throws Exception {
        shim.set("nccl.version", 22805);

        assertThat(probe("nccl")).first().asString().contains("is NCCL 2.28.5: versions 2.28.3 to 2.28.8 crash");
    }

    @Test
    void missingDeviceIsReported() throws Exception {
        shim.set("devices", 0);

        assertThat(probe("cuda", "device"))
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("cuda: sees 0 devices"),
                        line -> assertThat(line).contains("there is no device 0: this process sees 0 devices"));
    }

    @Test
    void memoryOfTheProcessHasNoLimit() throws Exception {
        assertThat(probe("limit")).containsExactly("limit: 0 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"maxPhysicalBytes", "maxphysicalbytes"})
    void memoryOfTheProcessHasTheLimitThatTheUserSets(String spelling) throws Exception {
        properties.put("org.bytedeco.javacpp." + spelling, "1g");

        assertThat(probe("limit")).containsExactly("limit: 1073741824 bytes");
    }

    @Test
    void missingNativePartOfJavaCppIsNamed() throws Exception {
        String classPath = classPath(path -> !path.matches(".*/cuda-1[^/]*-linux[^/]*"));

        assertThat(run(classPath, List.of("cuda")).get(0))
                .contains("the native part of JavaCPP's cudart cannot be loaded")
                .contains("with the classifier linux-x86_64");
    }

    private List<String> probe(String... uses) throws IOException, InterruptedException {
        return run(classPath(path -> true), List.of(uses));
    }

    private static String classPath(Predicate<String> filter) {
        return String.join(
                ":",
                Arrays.stream(System.getProperty("java.class.path").split(":"))
                        .filter(filter)
                        .toList());
    }

    private List<String> run(String classPath, List<String> uses) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED"));
        properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of("-cp", classPath, Probe.class.getName()));
        command.addAll(uses);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as("exit code, after: %s", output).isZero();
        return output.lines().toList();
    }
}
