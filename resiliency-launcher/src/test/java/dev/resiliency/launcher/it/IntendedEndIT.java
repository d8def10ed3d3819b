package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody has asked for is no fault, whatever it costs the other ranks: no report is written. */
@Tag("full")
class IntendedEndIT {
    /** By which a JVM leaves SIGUSR2 to its program. */
    private static final Map<String, String> SUSPENSION = Map.of("_JAVA_SR_SIGNUM", "50");

    @TempDir
    private Path directory;

    private String endpoint = "";
    private Path end = Path.of("");
    private int agents;

    @BeforeEach
    void chooseAddress() throws IOException {
        endpoint = "127.0.0.1:" + ProcessJob.freePort();
        end = directory.resolve("end");
    }

    private Launched agent(int node, String policy) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                FaultyProgram.class.getName(),
                "",
                end.toString());
        return Launched.command(
                Files.createDirectories(directory.resolve("agent" + agents++)),
                "node" + node,
                command,
                "--nnodes",
                "2",
                "--nproc-per-node",
                "2",
                "--restart-policy",
                policy,
                "--rdzv-endpoint",
                endpoint,
                "--local-addr",
                "127.0.0." + (node + 1));
    }

    private String resiliency(String command, String... more) throws Exception {
        return String.join("\n", new Control(directory, endpoint).run(command, more));
    }

    private static long worldsOf(Launched agent, int size) {
        return agent.process().lines().stream()
                .filter(line -> line.endsWith("[rank 0] trains in a world of " + size))
                .count();
    }

    /** Waits until rank 0 trains in a world of this size, once more than before. */
    private static void awaitWorld(Launched zero, int size, long before) throws InterruptedException {
        zero.process().awaitThat("trains in a world of " + size, () -> worldsOf(zero, size) > before);
    }

    private static void awaitWorld(Launched zero, int size) throws InterruptedException {
        awaitWorld(zero, size, worldsOf(zero, size));
    }

    @Test
    void nodesThatAreDrainedEndedBySignalsOrScaledAwayAreNotReported() throws Exception {
        try (Launched zero = agent(0, "soft");
                Launched one = agent(1, "soft")) {
            awaitWorld(zero, 4);
            long alone = worldsOf(zero, 2);
            resiliency("drain", "node1");
            assertThat(one.awaitExit()).as(one.log()).isZero();
            awaitWorld(zero, 2, alone);
            zero.awaitLog("node node1 (127.0.0.2) has left (drained): the others continue without it");
            assertThat(resiliency("status")).containsPattern("node1 .* left \\(drained\\)");

            for (String signal : List.of("TERM", "HUP", "INT")) {
                try (Launched next = joined(zero)) {
                    next.process().signal(signal);
                    assertThat(next.awaitExit()).as(next.log()).isNotZero();
                }
            }
            assertThat(resiliency("status")).containsPattern("node1 .* left  ");

            try (Launched next = joined(zero)) {
                long before = worldsOf(zero, 4);
                resiliency("restart");
                awaitWorld(zero, 4, before);
                resiliency("scale", "1:1");
                assertThat(next.awaitExit()).as(next.log()).isZero();
            }
            Files.createFile(end);
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
            assertThat(zero.log()).doesNotContain("report 1");
        }
    }

    @Tag("full")
    @Test
    void nodeThatHostsTheStoreIsDrainedAndIsNotReported() throws Exception {
        try (Launched zero = agent(0, "soft");
                Launched one = agent(1, "soft")) {
            awaitWorld(zero, 4);
            resiliency("drain", "node0");
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
            one.awaitLog("cycle 1: node node1 (127.0.0.2) hosts the store");
            one.awaitLog("this agent hosts the store");
            one.process()
                    .awaitThat(
                            "trains alone on the next store",
                            () -> one.process().lines().stream()
                                            .filter(line -> line.endsWith("[rank 2] trains in a world of 2"))
                                            .count()
                                    > 1);
            Files.createFile(end);
            assertThat(one.awaitExit()).as(one.log()).isZero();
            assertThat(one.log()).doesNotContain("report 1");
        }
    }

    private Launched joined(Launched zero) throws Exception {
        long before = worldsOf(zero, 4);
        Launched one = agent(1, "soft");
        awaitWorld(zero, 4, before);
        return one;
    }

    @Test
    void cyclesThatSomebodyHasAskedForAreNotReported() throws Exception {
        try (Launched zero = agent(0, "hard");
                Launched one = agent(1, "hard")) {
            awaitWorld(zero, 4);
            long before = worldsOf(zero, 4);
            resiliency("restart");
            awaitWorld(zero, 4, before);
            resiliency("drain", "node1");
            assertThat(one.awaitExit()).as(one.log()).isZero();
            zero.awaitLog("node node1 (127.0.0.2) has left (drained): all ranks of the job start again");
            try (Launched next = agent(1, "hard")) {
                awaitWorld(zero, 4, before + 1);
                Files.createFile(end);
                assertThat(next.awaitExit()).as(next.log()).isZero();
            }
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
            assertThat(zero.log()).doesNotContain("report 1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "HUP", "INT"})
    void signalToTheWholeJobIsNotReported(String signal) throws Exception {
        try (Launched zero = agent(0, "soft");
                Launched one = agent(1, "soft")) {
            awaitWorld(zero, 4);
            zero.process().signal(signal);
            one.process().signal(signal);

            assertThat(zero.awaitExit()).as(zero.log()).isNotZero();
            assertThat(one.awaitExit()).as(one.log()).isNotZero();
            assertThat(zero.log() + one.log()).doesNotContain("report 1");
        }
    }

    @Test
    void leaveAtASafePointIsNotReported() throws Exception {
        try (Launched agent = Launched.program(
                directory, "node", LeavingProgram.class, Path.of("USR2"), SUSPENSION, "--nproc-per-node", "2")) {
            agent.awaitLine("[rank 0] trains");
            agent.awaitLine("[rank 1] trains");
            agent.process().signal("USR2");

            assertThat(agent.awaitExit()).as(agent.log()).isNotZero();
            assertThat(agent.process().lines()).contains("[rank 0] left", "[rank 1] left");
            assertThat(agent.log()).doesNotContain("report 1");
        }
    }
}
