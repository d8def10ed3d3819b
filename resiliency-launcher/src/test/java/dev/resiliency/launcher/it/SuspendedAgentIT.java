package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes on this host; the agent of one stands still for a while, as on a host that is suspended or swaps. */
@Tag("full")
class SuspendedAgentIT {
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final String LONGER_LEASE = "30s";
    /** A third of it is left to answer, which must be enough on a busy machine. */
    private static final String SHORTER_LEASE = "4s";

    @TempDir
    private Path directory;

    private String endpoint = "";
    private Path end = Path.of("");

    @BeforeEach
    void chooseAddress() throws IOException {
        endpoint = "127.0.0.1:" + ProcessJob.freePort();
        end = directory.resolve("end");
    }

    private Launched agent(int node, String lease, String policy) throws IOException {
        return agent(directory, node, lease, policy);
    }

    private Launched agent(Path place, int node, String lease, String policy) throws IOException {
        return agent(place, node, 2, lease, policy);
    }

    private Launched agent(Path place, int node, int nodes, String lease, String policy) throws IOException {
        String script =
                "echo cycle $TORCHELASTIC_RESTART_COUNT; while [ ! -e '%s' ]; do sleep 0.05; done".formatted(end);
        return Launched.script(
                Files.createDirectories(place),
                "node" + node,
                script,
                "--nnodes",
                Integer.toString(nodes),
                "--rdzv-endpoint",
                endpoint,
                "--local-addr",
                "127.0.0." + (node + 1),
                "--lease",
                lease,
                "--restart-policy",
                policy);
    }

    private static void suspend(Launched agent) throws Exception {
        agent.process().signal("STOP");
        // The pause itself is what the test is about, and nothing shows its end.
        await().pollDelay(PAUSE).until(() -> true);
    }

    private void complete(Launched... agents) throws Exception {
        Files.createFile(end);
        for (Launched agent : agents) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
        }
    }

    @Test
    void agentThatStandsStillForLessThanItsLeaseGoesOn() throws Exception {
        try (Launched zero = agent(0, LONGER_LEASE, "soft");
                Launched one = agent(1, LONGER_LEASE, "soft")) {
            zero.awaitLine("cycle 0");
            one.awaitLine("cycle 0");

            suspend(one);
            one.process().signal("CONT");

            complete(zero, one);
            assertThat(zero.log()).doesNotContain("is lost");
        }
    }

    @Test
    void hostOfTheStoreThatStandsStillForLessThanItsLeaseGoesOn() throws Exception {
        try (Launched zero = agent(0, LONGER_LEASE, "soft");
                Launched one = agent(1, LONGER_LEASE, "soft")) {
            zero.awaitLine("cycle 0");
            one.awaitLine("cycle 0");
            awaitPublished();

            suspend(zero);
            zero.process().signal("CONT");

            complete(zero, one);
            assertThat(zero.log()).doesNotContain("is lost");
        }
    }

    @Test
    void hostOfTheStoreThatStandsStillForLongerFoundsItAnewWithTheOthers() throws Exception {
        try (Launched zero = agent(0, SHORTER_LEASE, "soft");
                Launched one = agent(1, SHORTER_LEASE, "soft")) {
            zero.awaitLine("cycle 0");
            one.awaitLine("cycle 0");

            suspend(zero);
            zero.process().signal("CONT");

            zero.awaitLine("cycle 1");
            one.awaitLine("cycle 1");
            complete(zero, one);
        }
    }

    @Test
    void onlyAgentOfAJobMayStandStill() throws Exception {
        try (Launched alone = agent(directory, 0, 1, SHORTER_LEASE, "soft")) {
            alone.awaitLine("cycle 0");

            suspend(alone);
            alone.process().signal("CONT");

            complete(alone);
            assertThat(alone.process().lines()).containsExactly("cycle 0");
        }
    }

    /** Then the agents have told the store what they have to. */
    private void awaitPublished() {
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            try (ProcessJob status = ProcessJob.builder(
                            ResiliencyCommand.class, Files.createTempDirectory(directory, "status"))
                    .arguments("status", "--rdzv-endpoint", endpoint)
                    .start()) {
                return status.rank(0).awaitExit() == 0
                        && status.rank(0).lines().stream()
                                .anyMatch(line -> line.startsWith("training with 2 of 2 ranks"));
            }
        });
    }

    /** Many busy processes leave each thread of the agents little of the processors, when the first rank of the job fails. */
    @Test
    void agentsOnAStarvedHostLoseNoNode() throws Exception {
        List<Process> busy = new ArrayList<>();
        try (Launched zero = agent(0, "10s", "hard");
                Launched one = agent(1, "10s", "hard")) {
            zero.awaitLine("cycle 0");
            one.awaitLine("cycle 0");

            for (int i = 0; i < 20 * Runtime.getRuntime().availableProcessors(); i++) {
                busy.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
            }
            zero.rank(0).destroyForcibly();
            zero.awaitLine("cycle 1");
            one.awaitLine("cycle 1");
            one.rank(1).destroyForcibly();
            zero.awaitLine("cycle 2");
            one.awaitLine("cycle 2");

            busy.forEach(Process::destroyForcibly);
            complete(zero, one);
            assertThat(zero.log() + one.log()).doesNotContain("is lost", "counts as dead");
        } finally {
            busy.forEach(Process::destroyForcibly);
        }
    }

    @Test
    void agentThatStandsStillForLongerThanItsLeaseEndsAndItsNodeComesBack() throws Exception {
        try (Launched zero = agent(0, SHORTER_LEASE, "soft");
                Launched one = agent(1, SHORTER_LEASE, "soft")) {
            zero.awaitLine("cycle 0");
            one.awaitLine("cycle 0");

            one.process().signal("STOP");
            zero.awaitLog("node node1 (127.0.0.2) is lost: the others continue without it");
            one.process().signal("CONT");

            assertThat(one.awaitExit()).as(one.log()).isEqualTo(1);
            assertThat(one.log()).contains("its lease was not renewed for 4.0 s");
            assertThat(one.process().family()).isEmpty();
            try (Launched again = agent(directory.resolve("again"), 1, SHORTER_LEASE, "soft")) {
                again.awaitLine("cycle 0");
                again.awaitLog("group rank 1 of 2 nodes");
                complete(again, zero);
            }
        }
    }

    @Test
    void cycleThatHasBegunWithoutASuspendedAgentIsNotDisturbedByIt() throws Exception {
        try (Launched zero = agent(0, SHORTER_LEASE, "hard");
                Launched one = agent(1, SHORTER_LEASE, "hard")) {
            zero.awaitLine("cycle 0");
            one.awaitLine("cycle 0");

            one.process().signal("STOP");
            zero.awaitLog("cycle 1: node node1 (127.0.0.2) is lost");
            try (Launched replacement = agent(2, SHORTER_LEASE, "hard")) {
                zero.awaitLine("cycle 1");
                replacement.awaitLine("cycle 1");
                one.process().signal("CONT");

                assertThat(one.awaitExit()).as(one.log()).isEqualTo(1);
                assertThat(one.process().lines()).containsExactly("cycle 0");
                complete(zero, replacement);
                assertThat(zero.log()).doesNotContain("cycle 2");
            }
        }
    }

    @Test
    void newAgentTakesTheNameOfOneThatStandsStill() throws Exception {
        try (Launched zero = agent(0, LONGER_LEASE, "soft");
                Launched one = agent(1, LONGER_LEASE, "soft")) {
            zero.awaitLine("cycle 0");
            one.awaitLine("cycle 0");

            one.process().signal("STOP");
            try (Launched again = agent(directory.resolve("again"), 1, LONGER_LEASE, "soft")) {
                again.awaitLine("cycle 0");
                again.awaitLog("group rank 1 of 2 nodes");
                one.process().signal("CONT");

                assertThat(one.awaitExit()).as(one.log()).isEqualTo(1);
                assertThat(one.log()).contains("another agent with the node name 'node1' has joined");
                complete(again, zero);
            }
        }
    }

    @Test
    void twoAgentsEndIfTheHostOfTheStoreStandsStillForTooLong() throws Exception {
        try (Launched zero = agent(0, SHORTER_LEASE, "soft");
                Launched one = agent(1, SHORTER_LEASE, "soft")) {
            zero.awaitLine("cycle 0");
            one.awaitLine("cycle 0");

            zero.process().signal("STOP");
            one.rank(1).destroyForcibly();
            assertThat(one.awaitExit()).as(one.log()).isEqualTo(1);
            assertThat(one.log()).contains("this agent cannot go on without its store");
            zero.process().signal("CONT");

            assertThat(zero.awaitExit()).as(zero.log()).isEqualTo(1);
            assertThat(zero.log()).contains("This store stood still for", "this agent cannot go on without its store");
        }
    }
}
