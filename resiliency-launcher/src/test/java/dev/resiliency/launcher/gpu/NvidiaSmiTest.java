package dev.resiliency.launcher.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A script stands in for the program. */
class NvidiaSmiTest {
    @TempDir
    private Path directory;

    private NvidiaSmi program(String script) throws IOException {
        Path file = Files.writeString(directory.resolve("nvidia-smi"), "#!/bin/sh\n" + script);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return NvidiaSmi.find(directory.toString()).orElseThrow();
    }

    @Test
    void hostWithoutTheProgramHasNone() {
        assertThat(NvidiaSmi.find(directory.toString())).isEmpty();
    }

    @Test
    void memoryInUseIsReadOfEachGpu() throws Exception {
        NvidiaSmi program = program(
                "[ \"$*\" = '--query-gpu=memory.used --format=csv,noheader,nounits' ] && printf '3\\n 70123\\n'");

        assertThat(program.usedMebibytes()).containsExactly(3L, 70_123L);
    }

    @Test
    void figuresThatAreNoneAreNamed() throws Exception {
        NvidiaSmi program = program("echo '[N/A]'");

        assertThatThrownBy(program::usedMebibytes)
                .isInstanceOf(IOException.class)
                .hasMessage("nvidia-smi reports '[N/A]' as the memory in use");
    }

    @Test
    void failureOfTheProgramIsNamed() throws Exception {
        NvidiaSmi program = program("echo 'NVIDIA-SMI has failed because no driver runs'; exit 9");

        assertThatThrownBy(program::domain)
                .isInstanceOf(IOException.class)
                .hasMessage("nvidia-smi failed: NVIDIA-SMI has failed because no driver runs");
    }

    @Test
    void domainIsTheFirstThatIsKnown() throws Exception {
        String line = "echo '        ClusterUUID                       : %s'\n";

        assertThat(program(line.formatted("N/A") + line.formatted("00000000-0000-0000-0000-000000000000"))
                        .domain())
                .isEmpty();
        assertThat(program(line.formatted("N/A") + line.formatted("a1b2c3d4-0000-0000-0000-00000000000f"))
                        .domain())
                .contains("a1b2c3d4-0000-0000-0000-00000000000f");
    }
}
