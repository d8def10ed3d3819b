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

/** What is reported of nodes that are lost, were cut off, or have lost their store. */
@Tag("full")
class NodeReportIT {
    @TempDir
    private Path directory;

    private int port;
    private Path end = Path.of("");

    @BeforeEach
    void choosePort() throws IOException {
        port = ProcessJob.freePort();
        end = directory.resolve("end");
    }

    private Launched agent(int node) throws IOException {
        return agent(directory, node);
    }

    private Launched agent(Path place, int node) throws IOException {
        return Launched.script(
                Files.createDirectories(place),
                "node" + node,
                "echo ready; while [ ! -e '%s' ]; do sleep 0.05; done".formatted(end),
                "--nnodes",
                "2",
                "--rdzv-endpoint",
                "127.0.0.1:" + port,
                "--local-addr",
                "127.0.0." + (node + 1),
                "--lease",
                "4s",
                "--report-dir",
                reports(node).toString());
    }

    private Path reports(int node) {
        return directory.resolve("reports-of-" + node);
    }

    private String firstReportOf(int node) throws IOException {
        return Files.readString(reports(node).resolve("report-default-1.txt"));
    }

    /** Starts the agent of node 1 again, and ends the job when the loss is reported: a report waits no longer for a node. */
    private void bringBack(Launched zero, String verdict) throws Exception {
        try (Launched again = agent(directory.resolve("again"), 1)) {
            again.awaitLine("ready");
            zero.awaitLog("report 1: " + verdict);
            Files.createFile(end);
            assertThat(again.awaitExit()).as(again.log()).isZero();
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
        }
        assertThat(firstReportOf(0)).startsWith("report 1: " + verdict);
    }

    @Test
    void nodeWhoseAgentIsKilledIsLost() throws Exception {
        try (Launched zero = agent(0);
                Launched one = agent(1)) {
            zero.awaitLine("ready");
            one.awaitLine("ready");

            one.process().kill();
            zero.awaitLog("node node1 (127.0.0.2) is lost");

            bringBack(zero, "HOST_LOST(node1)");
        }
    }

    @Test
    void nodeThatWasOutOfReachAndLivesWasCutOff() throws Exception {
        try (Launched zero = agent(0);
                Launched one = agent(1)) {
            zero.awaitLine("ready");
            one.awaitLine("ready");

            one.process().signal("STOP");
            zero.awaitLog("node node1 (127.0.0.2) is lost");
            one.process().signal("CONT");
            assertThat(one.awaitExit()).as(one.log()).isEqualTo(1);

            bringBack(zero, "NETWORK_PARTITION(node1)");
        }
    }

    @Test
    void nodesThatLoseTheirStoreReportItEachForItself() throws Exception {
        try (ProcessJob store = ProcessJob.builder(
                                ResiliencyCommand.class, Files.createDirectories(directory.resolve("store")))
                        .arguments("store", "--port", Integer.toString(port))
                        .start();
                Launched zero = startedBeside(store);
                Launched one = agent(1)) {
            zero.awaitLine("ready");
            one.awaitLine("ready");

            store.rank(0).kill();

            assertThat(zero.awaitExit()).as(zero.log()).isEqualTo(1);
            assertThat(one.awaitExit()).as(one.log()).isEqualTo(1);
            assertThat(zero.log()).contains("report 1: STORE_LOST on node node0");
            assertThat(one.log()).contains("report 1: STORE_LOST on node node1");
            assertThat(firstReportOf(0)).contains("STORE_LOST", "'resiliency store'");
            assertThat(firstReportOf(1)).contains("STORE_LOST", "'resiliency store'");
        }
    }

    /** Starts an agent once the store is there, which the agent would host otherwise. */
    private Launched startedBeside(ProcessJob store) throws Exception {
        store.rank(0).awaitLine("Store listens on 127.0.0.1:" + port);
        return agent(0);
    }
}
