package dev.resiliency.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NumaBindingTest {
    @TempDir
    private Path directory;

    private Path nodes;

    @BeforeEach
    void createTwoNodes() throws IOException {
        nodes = Files.createDirectories(directory.resolve("nodes"));
        Files.createDirectory(nodes.resolve("node0"));
        Files.createDirectory(nodes.resolve("node1"));
    }

    /** A numactl that does as its last lines say, and notes how it was called. */
    private void install(String lines) throws IOException {
        Path program = Files.writeString(
                directory.resolve("numactl"),
                "#!/bin/sh\necho \"$1 $2\" >> " + directory.resolve("calls") + "\n" + lines);
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    private NumaBinding find(int gpusPerNode, int ranks) throws IOException, InterruptedException {
        return NumaBinding.find(gpusPerNode, true, ranks, directory.toString(), nodes);
    }

    @Test
    void rankIsBoundToTheNodeOfItsGpu() throws Exception {
        install("exit 0");
        NumaBinding binding = find(4, 8);

        assertThat(binding.wrap(3, List.of("java", "Train")))
                .containsExactly(
                        directory.resolve("numactl").toString(), "--cpunodebind=0", "--membind=0", "java", "Train");
        assertThat(binding.wrap(4, List.of("java"))).contains("--cpunodebind=1", "--membind=1");
        assertThat(Files.readString(directory.resolve("calls")))
                .isEqualTo("--cpunodebind=0 --membind=0\n--cpunodebind=1 --membind=1\n");
    }

    @Test
    void memoryIsOnlyPreferredWithoutStrictness() throws Exception {
        install("exit 0");
        NumaBinding binding = NumaBinding.find(4, false, 8, directory.toString(), nodes);

        assertThat(binding.wrap(4, List.of("java")))
                .containsExactly(directory.resolve("numactl").toString(), "--cpunodebind=1", "--localalloc", "java");
    }

    @Test
    void ranksOfMoreNodesThanThereAreAreRefused() throws Exception {
        install("exit 0");

        assertThatThrownBy(() -> find(2, 5))
                .hasMessage("5 ranks with 2 GPUs per NUMA node need 3 NUMA nodes, but this host has 2: correct"
                        + " NVRX_GPUS_PER_NUMA");
    }

    @Test
    void nodeWithoutGpusIsRefused() throws Exception {
        install("exit 0");

        assertThat(find(1, 2).wrap(1, List.of("java"))).contains("--cpunodebind=1");
        assertThatThrownBy(() -> find(0, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the number of GPUs of a NUMA node is 0: it must be at least 1");
    }

    @Test
    void hostThatDoesNotAllowItIsRefused() throws Exception {
        install("exit 1");

        assertThatThrownBy(() -> find(4, 4))
                .hasMessageContaining("cannot bind a process to NUMA node 0")
                .hasMessageContaining("SYS_NICE");
    }

    @Test
    void missingProgramIsNamedWithWhatToDo() {
        assertThatThrownBy(() -> find(4, 4))
                .hasMessageContaining("there is no numactl")
                .hasMessageContaining("apt-get install");
    }
}
