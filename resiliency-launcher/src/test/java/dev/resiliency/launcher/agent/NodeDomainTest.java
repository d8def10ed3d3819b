package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.launcher.LaunchConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over a program that stands for {@code nvidia-smi}. */
class NodeDomainTest {
    private static final String UUID = "a1b2c3d4-0000-0000-0000-00000000000f";

    @TempDir
    private Path directory;

    @BeforeEach
    void nvidiaSmi() throws IOException {
        answer(UUID);
    }

    private void answer(String uuid) throws IOException {
        Path file = Files.writeString(
                directory.resolve("nvidia-smi"), "#!/bin/sh\necho '   ClusterUUID   : %s'\n".formatted(uuid));
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private String find(LaunchConfig.Builder config) throws Exception {
        return NodeDomain.find(config.build(), directory.toString());
    }

    @Test
    void labelOfTheUserCountsBeforeWhatTheHostSays() throws Exception {
        assertThat(find(LaunchConfig.builder()
                        .nodes(2, 2)
                        .store("10.0.0.1", 29_500)
                        .segment(2)
                        .nodeLabel("rack-1")))
                .isEqualTo("rack-1");
        assertThat(find(LaunchConfig.builder().nodeLabel("rack-1"))).isEqualTo("rack-1");
    }

    @Test
    void jobWithoutSegmentsOfSeveralNodesNeedsNoDomain() throws Exception {
        assertThat(find(LaunchConfig.builder())).isEmpty();
        assertThat(find(LaunchConfig.builder()
                        .nodes(2, 2)
                        .store("10.0.0.1", 29_500)
                        .segment(1)))
                .isEmpty();
    }

    @Test
    void domainIsThatOfTheGpus() throws Exception {
        assertThat(find(LaunchConfig.builder()
                        .nodes(2, 2)
                        .store("10.0.0.1", 29_500)
                        .segment(2)))
                .isEqualTo(UUID);
    }

    @Test
    void whatIsMissingIsNamed() throws Exception {
        LaunchConfig.Builder config =
                LaunchConfig.builder().nodes(2, 2).store("10.0.0.1", 29_500).segment(2);
        answer("N/A");
        assertThatThrownBy(() -> find(config))
                .isInstanceOf(IOException.class)
                .hasMessage("--segment 2 groups nodes by their NVLink domains, and nvidia-smi names none for this node:"
                        + " name the group of each node with --node-label");

        Files.delete(directory.resolve("nvidia-smi"));
        assertThatThrownBy(() -> find(config))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "--segment 2 groups nodes by their NVLink domains, and this node has no nvidia-smi: name the"
                                + " group of each node with --node-label");
    }
}
