package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An agent of a job of one node, with real processes. */
class LaunchIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private Launched script(String script, String... options) throws Exception {
        return Launched.script(directory, "node", script, options);
    }

    @Test
    void killedRankComesBackAndJoinsTheOther() throws Exception {
        Path end = directory.resolve("end");
        try (Launched agent = Launched.training(directory, "node", end, "--nproc-per-node", "2")) {
            agent.awaitLine("[rank 0] FOUNDED in a world of 2, generation 0, iteration 0");
            agent.awaitLine("[rank 1] FOUNDED in a world of 2, generation 0, iteration 0");

            assertThat(agent.rank(0).children()).as("the agent watches it").isEmpty();

            agent.rank(1).destroyForcibly();
            agent.awaitLine("[rank 0] SURVIVED in a world of 1, generation 0, iteration 1");
            agent.awaitLine("[rank 1] JOINED in a world of 2, generation 0, iteration 2");

            Files.createFile(end);
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.process().lines()).contains("[rank 0] completed", "[rank 1] completed");
            assertThat(agent.log())
                    .contains("was ended by SIGKILL", "rank 1: restart 1 of 10 within 1h, at once")
                    .contains("all ranks of this node have completed; exit code 0");
        }
    }

    @Tag("full")
    @Test
    void spareStepsInForAKilledRank() throws Exception {
        Path end = directory.resolve("end");
        try (Launched agent = Launched.training(directory, "node", end, "--nproc-per-node", "2", "--spares", "1")) {
            agent.awaitLine("[rank 1] FOUNDED in a world of 2, generation 0, iteration 0");
            agent.process()
                    .awaitThat(
                            "has a spare that waits",
                            () -> agent.log()
                                    .lines()
                                    .anyMatch(line -> line.startsWith("[spare 0.2]")
                                            && line.endsWith("waits to join the running job")));
            agent.rank(1).destroyForcibly();
            String joins = "[spare 0.2] JOINED in a world of 2, generation 0";
            agent.process()
                    .awaitThat(
                            "joins", () -> agent.process().lines().stream().anyMatch(line -> line.startsWith(joins)));

            Files.createFile(end);
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit 0|0|all ranks of this node have completed; exit code 0",
                "sleep 1000 & exit 0|0|and has left 1 process behind, which was ended",
                "[ $RANK = 0 ] && exec sleep 1000; exit 93|93|rank 1 (process #) exited with code 93 after",
                "[ $RANK = 0 ] && exec sleep 1000; exit 130|93|exited with code 130 (RestartAbort)",
                "[ $RANK = 0 ] && exec sleep 1000; exit 94|94|it asks to be started on another host; exit code 94",
                "[ $RANK = 0 ] && exec sleep 1000; exit 1|93|it has failed 3 times in a row within its first 10s; exit code 93"
            })
    void endOfARankDecidesWhatBecomesOfTheNode(String script, int exitCode, String reason) throws Exception {
        try (Launched agent = script(script, "--nproc-per-node", "2", "--max-startup-failures", "3")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(exitCode);
            assertThat(agent.log().replaceAll("process \\d+", "process #")).contains(reason);
            assertThat(agent.process().family()).isEmpty();
        }
    }

    @Test
    void commandThatCannotBeStartedIsNamed() throws Exception {
        try (Launched agent =
                Launched.command(directory, "node", List.of("no-such-program"), "--nproc-per-node", "2")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(127);
            assertThat(agent.log()).contains("there is no program 'no-such-program'");
        }
    }

    @Test
    void processesEndWithAnAgentThatIsKilledAndTheNextEndsWhatTheyHaveLeft() throws Exception {
        try (Launched killed = script("sleep 1000 & echo ready; wait", "--nproc-per-node", "2")) {
            killed.awaitLine("[rank 0] ready");
            killed.awaitLine("[rank 1] ready");
            killed.process().kill();
            // The shells end with their agent, but the kernel does not end their children.
            await().atMost(Patience.stretch(Duration.ofSeconds(30)))
                    .until(() -> killed.process().family().size() == 2);

            try (Launched next = script("echo next")) {
                assertThat(next.awaitExit()).as(next.log()).isZero();
                assertThat(next.log()).contains("have outlived their supervisor");
                assertThat(killed.process().family()).isEmpty();
            }
        }
    }

    @Test
    void ranksWithoutAWrapperAllStartAgain() throws Exception {
        String script =
                "echo run $TORCHELASTIC_RESTART_COUNT; [ $TORCHELASTIC_RESTART_COUNT = 0 ] || exit 0; [ $RANK = 0 ] && exec sleep 1000; sleep 1; exit 7";
        try (Launched agent = script(script, "--nproc-per-node", "2", "--startup-time", "100ms")) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.process().lines()).contains("[rank 0] run 1", "[rank 1] run 1");
            assertThat(agent.log()).contains("no rank has called a Wrapper", "--restart-policy hard");
        }
    }

    @Tag("full")
    @Test
    void restartsOfTheJobAreSpent() throws Exception {
        try (Launched agent =
                script("exit 1", "--nproc-per-node", "2", "--max-restarts", "3", "--max-startup-failures", "0")) {
            assertThat(agent.awaitExit()).isEqualTo(93);
            assertThat(agent.log())
                    .contains("restart 2 of 3 within 1h", "the restarts of the job are spent (3 within 1h)");
        }
    }

    @Tag("full")
    @Test
    void environmentIsThatOfTorchrun() throws Exception {
        String script =
                "echo $RANK $LOCAL_RANK $WORLD_SIZE $TORCHELASTIC_RESTART_COUNT $TORCHELASTIC_MAX_RESTARTS $TORCHELASTIC_RUN_ID;"
                        + " [ $TORCHELASTIC_RESTART_COUNT = 1 ] || exit 1";
        try (Launched agent = script(script, "--nproc_per_node", "2", "--rdzv_id", "job7", "--max_restarts", "5")) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.process().lines())
                    .contains("[rank 0] 0 0 2 0 5 job7", "[rank 0] 0 0 2 1 5 job7", "[rank 1] 1 1 2 0 5 job7");
        }
    }

    @Tag("full")
    @Test
    void signalIsPassedOnToAllRanks() throws Exception {
        String script = "trap 'sleep 0.5; echo saved; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
        try (Launched agent = script(script, "--nproc-per-node", "2")) {
            agent.awaitLine("[rank 0] ready");
            agent.awaitLine("[rank 1] ready");
            agent.process().signal("TERM");

            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(143);
            assertThat(agent.process().lines()).contains("[rank 0] saved", "[rank 1] saved");
        }
    }

    @Tag("full")
    @Test
    void secondInterruptEndsAllAtOnce() throws Exception {
        assumeThat(SuperviseIT.isIgnored(2)).isFalse();
        String script = "trap 'echo hangs' INT; echo ready; while :; do sleep 0.05; done";
        try (Launched agent = script(script, "--nproc-per-node", "2")) {
            agent.awaitLine("[rank 0] ready");
            agent.awaitLine("[rank 1] ready");
            agent.process().signal("INT");
            agent.awaitLine("[rank 0] hangs");
            agent.process().signal("INT");

            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(130);
            assertThat(agent.process().family()).isEmpty();
        }
    }

    @Tag("full")
    @Test
    void portThatAStrangerUsesIsNamed() throws Exception {
        try (ServerSocket stranger = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Launched agent = script("true", "--rdzv-endpoint", "127.0.0.1:" + stranger.getLocalPort())) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(1);
            assertThat(agent.log()).contains("127.0.0.1:" + stranger.getLocalPort() + " is in use");
        }
    }

    /** Does what PyTorch's server does: closes our connections, and answers a PING and a COMPARE_SET of an absent key. */
    private static void servePyTorch(ServerSocket server) {
        try {
            while (true) {
                try (Socket client = server.accept()) {
                    DataInputStream in = new DataInputStream(client.getInputStream());
                    if (in.read() == 0) {
                        DataOutputStream out = new DataOutputStream(client.getOutputStream());
                        in.readNBytes(5);
                        out.writeInt(in.readInt());
                        in.readByte();
                        readBytes(in);
                        byte[] expected = readBytes(in);
                        out.writeLong(Long.reverseBytes(expected.length));
                        out.write(expected);
                        in.readAllBytes();
                    }
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        return in.readNBytes((int) Long.reverseBytes(in.readLong()));
    }

    @Tag("full")
    @Test
    void serverOfPyTorchOnThePortIsNamed() throws Exception {
        try (ServerSocket pyTorch = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            new Thread(() -> servePyTorch(pyTorch)).start();
            try (Launched agent = script("true", "--rdzv-endpoint", "127.0.0.1:" + pyTorch.getLocalPort())) {
                assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(1);
                assertThat(agent.log())
                        .contains("127.0.0.1:" + pyTorch.getLocalPort() + " is in use")
                        .contains("a server of PyTorch's TCPStore, which keeps no sessions, answers at 127.0.0.1:"
                                + pyTorch.getLocalPort())
                        .contains("'resiliency store'");
            }
        }
    }

    @Tag("full")
    @Test
    void secondAgentAtTheSameAddressIsToldSo() throws Exception {
        String endpoint = "127.0.0.1:" + ProcessJob.freePort();
        try (Launched first = script("echo ready; exec sleep 1000", "--rdzv-endpoint", endpoint)) {
            first.awaitLine("ready");
            try (Launched second = Launched.script(directory, "second", "true", "--rdzv-endpoint", endpoint)) {
                assertThat(second.awaitExit()).as(second.log()).isEqualTo(1);
                assertThat(second.log()).contains("the agent of node runs at this address already", "--local-addr");
            }
        }
    }

    @Tag("full")
    @Test
    void storeOfAServerIsUsed() throws Exception {
        try (ProcessJob server = ProcessJob.builder(
                        ResiliencyCommand.class, Files.createDirectory(directory.resolve("store")))
                .javaOptions("-Xmx256m")
                .arguments("store", "--port", "0", "--max-total-bytes", "100000000")
                .start()) {
            String listens = "Store listens on ";
            await().atMost(Patience.stretch(LIMIT))
                    .until(() -> server.rank(0).lines().stream().anyMatch(line -> line.startsWith(listens)));
            String endpoint = server.rank(0).lines().get(0).substring(listens.length());
            try (Launched agent = script("echo at $RESILIENCY_STORE", "--rdzv-endpoint", endpoint)) {
                assertThat(agent.awaitExit()).as(agent.log()).isZero();
                assertThat(agent.process().lines()).containsExactly("at " + endpoint);
                assertThat(agent.log()).doesNotContain("hosts the store");
            }
        }
    }
}
