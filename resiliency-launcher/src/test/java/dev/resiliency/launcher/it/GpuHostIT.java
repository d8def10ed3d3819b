package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents on hosts with GPUs, for which scripts in the place of {@code nvidia-smi} stand. */
class GpuHostIT {
    @TempDir
    private Path directory;

    private Map<String, String> variables(String nvidiaSmi) throws IOException {
        Path programs = Files.createTempDirectory(directory, "bin");
        Path program = Files.writeString(programs.resolve("nvidia-smi"), "#!/bin/sh\n" + nvidiaSmi);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return Map.of("PATH", programs + ":" + System.getenv("PATH"));
    }

    @Test
    void nextCycleWaitsUntilTheMemoryIsFreeAndTheAgentStaysResponsive() throws Exception {
        Path free = directory.resolve("free");
        String script = "echo cycle $TORCHELASTIC_RESTART_COUNT; exec sleep 1000";
        try (Launched agent = Launched.script(
                directory,
                "node",
                "[ $TORCHELASTIC_RESTART_COUNT != 0 ] || exit 1; " + script,
                variables("[ -e '%s' ] && echo 3 || echo 70000".formatted(free)),
                "--restart-policy",
                "hard",
                "--gpu-memory-poll-interval",
                "50ms")) {
            agent.awaitLog("all ranks of the job start again");
            assertThat(agent.process().lines()).isEmpty();
            Files.createFile(free);

            agent.awaitLine("cycle 1");
            assertThat(agent.log()).contains("the memory of the GPUs is free after");
            agent.process().signal("TERM");
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(143);
        }
    }

    @Tag("full")
    @Test
    void signalEndsAnAgentThatWaitsForMemoryOfAProgramThatHangs() throws Exception {
        try (Launched agent =
                Launched.script(directory, "node", "exit 1", variables("sleep 1000"), "--restart-policy", "hard")) {
            agent.awaitLog("cycle 1");

            agent.process().signal("TERM");

            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(143);
        }
    }

    @Tag("full")
    @Test
    void segmentsAreThoseOfTheNvlinkDomains() throws Exception {
        String endpoint = "127.0.0.1:" + ProcessJob.freePort();
        String script = "echo group $GROUP_RANK of $GROUP_WORLD_SIZE";
        List<Launched> agents = new ArrayList<>();
        try {
            for (String domain : List.of("aa", "bb", "aa", "bb")) {
                int node = agents.size();
                agents.add(Launched.script(
                        directory,
                        "node" + node,
                        script,
                        variables("echo '    ClusterUUID                       : %s'".formatted(domain)),
                        "--nnodes",
                        "4",
                        "--segment",
                        "2",
                        "--rdzv-endpoint",
                        endpoint,
                        "--local-addr",
                        "127.0.0." + (node + 1)));
            }
            List<String> groups = new ArrayList<>();
            for (Launched agent : agents) {
                assertThat(agent.awaitExit()).as(agent.log()).isZero();
                groups.addAll(agent.process().lines());
            }
            assertThat(groups).containsExactly("group 0 of 4", "group 2 of 4", "group 1 of 4", "group 3 of 4");
        } finally {
            agents.forEach(Launched::close);
        }
    }

    @Tag("full")
    @Test
    void nodeOfNoDomainIsNamed() throws Exception {
        try (Launched agent = Launched.script(
                directory,
                "node",
                "echo never",
                variables("echo '    ClusterUUID                       : N/A'"),
                "--nnodes",
                "2",
                "--segment",
                "2",
                "--rdzv-endpoint",
                "127.0.0.1:" + ProcessJob.freePort())) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(1);
            assertThat(agent.log()).contains("nvidia-smi names none for this node", "--node-label");
        }
    }
}
