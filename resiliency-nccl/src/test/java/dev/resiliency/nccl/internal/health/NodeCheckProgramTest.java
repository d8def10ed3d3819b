package dev.resiliency.nccl.internal.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.nccl.NativeShim;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NodeCheckProgramTest {
    @RegisterExtension
    static final NativeShim SHIM = NativeShim.ofThisProcess();

    @TempDir
    private Path sysfs;

    private Path link = Path.of("");

    @BeforeEach
    void plugIn() throws IOException {
        Path eth0 = Files.createDirectories(sysfs.resolve("class/net/eth0"));
        Files.createDirectory(eth0.resolve("device"));
        link = Files.writeString(eth0.resolve("operstate"), "up\n");
    }

    @Test
    void everythingThatFailsIsNamed() throws Exception {
        NodeCheckProgram program = new NodeCheckProgram(sysfs);
        assertThat(program.check()).isEqualTo("ok: 2 GPUs and the network links");

        Files.writeString(link, "down\n");
        SHIM.set("recovery", 1);
        SHIM.set("nvlink.2", 0);
        SHIM.set("xid", 79);

        assertThat(program.check())
                .startsWith("failed: ")
                .contains("eth0 is \"down\"")
                .contains("GPU 0000:01:00.0 (Shim GPU 0): NVML's recovery action is 1 (reset the GPU)")
                .contains("GPU 0000:02:00.0 (Shim GPU 1): NVML's recovery action is 1 (reset the GPU)")
                .contains("GPU 0000:01:00.0 (Shim GPU 0): link 2 is down, it was up")
                .contains("GPU 0000:01:00.0 (Shim GPU 0): the driver has reported XID [79]");
    }

    @Test
    void deviceOfAnotherContainerIsLeftAlone() throws Exception {
        SHIM.set("devices", 3);

        assertThat(new NodeCheckProgram(sysfs).check()).isEqualTo("ok: 2 GPUs and the network links");
    }

    @Test
    void deviceThatIsLostAtTheStartHasFailed() throws Exception {
        SHIM.set("nvmlDeviceGetNvLinkState", "fail:15");

        NodeCheckProgram program = new NodeCheckProgram(sysfs);

        assertThat(program.check()).startsWith("failed: ").contains("GPU is lost");
    }

    @Test
    void programAnswersEachLineAndEndsWithItsInput() throws Exception {
        Process process = start(List.of());
        try (Writer questions = process.outputWriter(UTF_8);
                BufferedReader answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            assertThat(ask(questions, answers)).isEqualTo("answer ok: 2 GPUs and the network links");
            SHIM.set("recovery", 2);
            assertThat(ask(questions, answers))
                    .startsWith("answer failed: GPU 0000:01:00.0")
                    .contains("reboot the node");
            SHIM.unset("recovery");
            assertThat(ask(questions, answers)).isEqualTo("answer ok: 2 GPUs and the network links");
        }
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void hostWithoutADriverIsUnknown() throws Exception {
        Process process = start(List.of("-Dresiliency.libcuda=/absent/libcuda.so.1"));
        try (Writer questions = process.outputWriter(UTF_8);
                BufferedReader answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            assertThat(ask(questions, answers)).startsWith("answer unknown: libcuda.so.1: there is no file /absent");
            Files.writeString(link, "down\n");
            assertThat(ask(questions, answers)).startsWith("answer failed: ").contains("eth0 is \"down\"");
        }
        assertThat(process.waitFor()).isZero();
    }

    private static String ask(Writer questions, BufferedReader answers) throws IOException {
        questions.write("\n");
        questions.flush();
        return answers.readLine();
    }

    private Process start(List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path")));
        SHIM.properties().forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(options);
        command.addAll(List.of(NodeCheckProgram.class.getName(), sysfs.toString()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
