package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks without a wrapper learn from their agents how the world has changed. Those of a later cycle complete. */
@Tag("full")
class WorldEventIT {
    @TempDir
    private Path directory;

    private String endpoint = "";

    @BeforeEach
    void chooseAddress() throws IOException {
        endpoint = "127.0.0.1:" + ProcessJob.freePort();
    }

    private Launched agent(int node, String nodes) throws IOException {
        return Launched.program(
                directory,
                "node" + node,
                MonitoredProgram.class,
                Path.of("steps"),
                "--nnodes",
                nodes,
                "--nproc-per-node",
                "2",
                "--restart-policy",
                "hard",
                "--rdzv-endpoint",
                endpoint,
                "--local-addr",
                "127.0.0." + (node + 1));
    }

    private void scale(String nodes) throws Exception {
        try (ProcessJob control = ProcessJob.builder(
                        ResiliencyCommand.class, Files.createDirectory(directory.resolve("control")))
                .arguments("scale", "--rdzv-endpoint", endpoint, nodes)
                .start()) {
            assertThat(control.rank(0).awaitExit()).as(control.rank(0).log()).isZero();
        }
    }

    @Test
    void worldThatShrinksNamesTheRanksThatLeft() throws Exception {
        try (Launched zero = agent(0, "2");
                Launched one = agent(1, "2")) {
            zero.awaitLine("[rank 0] steps");
            one.awaitLine("[rank 3] steps");
            scale("1");

            assertThat(zero.awaitExit()).as(zero.log()).isZero();
            assertThat(one.awaitExit()).as(one.log()).isZero();
            assertThat(zero.process().lines())
                    .contains(
                            "[rank 0] event Started[iteration=0, activeWorldSize=4]",
                            "[rank 1] event ScaledDown[iteration=1, activeWorldSizeBefore=4, activeWorldSize=2,"
                                    + " left={2, 3}, came={}]");
        }
    }

    @Test
    void worldThatGrowsNamesTheRanksThatCame() throws Exception {
        try (Launched zero = agent(0, "1")) {
            zero.awaitLine("[rank 0] steps");
            try (Launched one = agent(1, "1")) {
                one.awaitLog("this is spare node 1");
                scale("2");

                assertThat(one.awaitExit()).as(one.log()).isZero();
                assertThat(zero.awaitExit()).as(zero.log()).isZero();
                String grown = "event ScaledUp[iteration=1, activeWorldSizeBefore=2, activeWorldSize=4,"
                        + " left={}, came={2, 3}]";
                assertThat(zero.process().lines()).contains("[rank 1] " + grown);
                assertThat(one.process().lines()).contains("[rank 2] " + grown);
            }
        }
    }
}
