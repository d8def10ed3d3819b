package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agents of two nodes, which are addresses of this host, with real processes. */
class NodesIT {
    private static final String WAIT = "echo ready; while [ ! -e '%s' ]; do sleep 0.05; done";

    @TempDir
    private Path directory;

    private String endpoint = "";
    private Path end = Path.of("");

    @BeforeEach
    void chooseAddress() throws IOException {
        endpoint = "127.0.0.1:" + ProcessJob.freePort();
        end = directory.resolve("end");
    }

    private String[] options(int node, String... more) {
        return Launched.optionsOfNode(node, 2, 2, endpoint, more);
    }

    private Launched script(int node, String name, String script, String... more) throws IOException {
        return Launched.script(directory, name, script, options(node, more));
    }

    @Test
    void nodeWhoseAgentWasKilledComesBackWithItsRanksAndOthersAreRefused() throws Exception {
        String script = WAIT.formatted(end);
        try (Launched zero = script(1, "node0", script);
                Launched one = script(2, "node1", script)) {
            zero.awaitLine("[rank 0] ready");
            one.awaitLine("[rank 3] ready");

            one.process().kill();
            zero.awaitLog("node node1 (127.0.0.2) is lost: the others continue without it");
            try (Launched odd = Launched.script(directory, "odd", "true", options(3, "--nproc-per-node", "3"));
                    Launched again = Launched.script(
                            Files.createDirectory(directory.resolve("again")), "node1", script, options(2))) {
                assertThat(odd.awaitExit()).as(odd.log()).isEqualTo(1);
                assertThat(odd.log()).contains("--nproc-per-node is 2 there, and 3 on this node");

                again.awaitLine("[rank 2] ready");
                again.awaitLine("[rank 3] ready");
                Files.createFile(end);
                assertThat(again.awaitExit()).as(again.log()).isZero();
                assertThat(zero.awaitExit()).as(zero.log()).isZero();
                assertThat(zero.log()).contains("node node1 (127.0.0.2) has joined, as group rank 1");
            }
        }
    }

    @Test
    void hardPolicyStartsAllRanksOfAllNodesInTheNextCycle() throws Exception {
        String script = "echo cycle $TORCHELASTIC_RESTART_COUNT; [ $RANK$TORCHELASTIC_RESTART_COUNT != 30 ] || exit 1; "
                + "[ $TORCHELASTIC_RESTART_COUNT = 1 ] || exec sleep 1000";
        try (Launched zero = script(1, "node0", script, "--restart-policy", "hard");
                Launched one = script(2, "node1", script, "--restart-policy", "hard")) {
            assertThat(one.awaitExit()).as(one.log()).isZero();
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
            assertThat(zero.process().lines()).contains("[rank 0] cycle 1", "[rank 1] cycle 1");
            assertThat(one.process().lines()).contains("[rank 2] cycle 1", "[rank 3] cycle 1");
            assertThat(zero.log()).contains("cycle 1: rank 3 (process", "all ranks of the job start again");
        }
    }

    @Test
    void nodeWhoseRanksHaveCompletedStartsAgainWithTheOthers() throws Exception {
        String script = "echo cycle $TORCHELASTIC_RESTART_COUNT; [ $RANK$TORCHELASTIC_RESTART_COUNT != 30 ] || "
                + "{ while [ ! -e '%s' ]; do sleep 0.05; done; exit 1; }".formatted(end);
        try (Launched zero = script(1, "node0", script, "--restart-policy", "hard");
                Launched one = script(2, "node1", script, "--restart-policy", "hard")) {
            zero.awaitLog("all ranks of this node have completed");
            Files.createFile(end);

            assertThat(one.awaitExit()).as(one.log()).isZero();
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
            assertThat(zero.process().lines()).contains("[rank 0] cycle 1", "[rank 1] cycle 1");
            assertThat(one.process().lines()).contains("[rank 2] cycle 1", "[rank 3] cycle 1");
        }
    }

    @Tag("full")
    @Test
    void hardPolicyWaitsForANodeThatIsLost() throws Exception {
        String script =
                "echo cycle $TORCHELASTIC_RESTART_COUNT; while [ ! -e '%s' ]; do sleep 0.05; done".formatted(end);
        try (Launched zero = script(1, "node0", script, "--restart-policy", "hard");
                Launched one = script(2, "node1", script, "--restart-policy", "hard")) {
            zero.awaitLine("[rank 0] cycle 0");
            one.awaitLine("[rank 3] cycle 0");

            one.process().kill();
            zero.awaitLog("cycle 1: node node1 (127.0.0.2) is lost: all ranks of the job start again");
            try (Launched again = Launched.script(
                    Files.createDirectory(directory.resolve("again")),
                    "node1",
                    script,
                    options(2, "--restart-policy", "hard"))) {
                zero.awaitLine("[rank 0] cycle 1");
                again.awaitLine("[rank 3] cycle 1");
                Files.createFile(end);
                assertThat(again.awaitExit()).as(again.log()).isZero();
                assertThat(zero.awaitExit()).as(zero.log()).isZero();
            }
        }
    }

    @Tag("full")
    @Test
    void softNoReplaceStartsAllRanksOfTheNodeAgain() throws Exception {
        try (Launched zero =
                        Launched.training(directory, "node0", end, options(1, "--restart-policy", "soft-no-replace"));
                Launched one =
                        Launched.training(directory, "node1", end, options(2, "--restart-policy", "soft-no-replace"))) {
            zero.awaitLine("[rank 0] FOUNDED in a world of 4, generation 0, iteration 0");
            one.awaitLine("[rank 3] FOUNDED in a world of 4, generation 0, iteration 0");

            one.rank(3).destroyForcibly();
            one.awaitThatWorldIs(4);
            zero.awaitThatWorldIs(4);

            Files.createFile(end);
            assertThat(one.awaitExit()).as(one.log()).isZero();
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
            assertThat(one.log()).contains("all ranks of this node end and join again", "rank 2 (process");
            assertThat(one.process().lines()).anyMatch(line -> line.startsWith("[rank 2] JOINED"));
        }
    }

    @Test
    void jobIsShownDrainedAndStartedAgainFromOutside() throws Exception {
        String script =
                "echo cycle $TORCHELASTIC_RESTART_COUNT; while [ ! -e '%s' ]; do sleep 0.05; done".formatted(end);
        try (Launched zero = script(1, "node0", script);
                Launched one = script(2, "node1", script)) {
            zero.awaitLine("[rank 0] cycle 0");
            one.awaitLine("[rank 3] cycle 0");
            try (ProcessJob follower = new Control(directory, endpoint).start("events", "--follow", "--json")) {
                assertThat(control("restart")).containsExactly("job default starts again in cycle 1");
                zero.awaitLine("[rank 0] cycle 1");
                one.awaitLine("[rank 3] cycle 1");

                assertThat(control("drain", "127.0.0.2"))
                        .containsExactly("node node1 (127.0.0.2) is asked to leave job default");
                assertThat(one.awaitExit()).as(one.log()).isZero();
                // What an agent says of its ranks is as old as its last look.
                await().atMost(Duration.ofMinutes(2))
                        .untilAsserted(() -> assertThat(control("status"))
                                .map(line -> line.replaceAll(" +", " ").replaceAll("process [0-9].*", "process"))
                                .anyMatch(line -> line.startsWith("training with 2 of 4 ranks, last interruption "))
                                .filteredOn(line -> !line.startsWith("training"))
                                .containsExactly(
                                        "job default: 2 nodes with 2 ranks each, policy soft, cycle 1, 0 process restarts",
                                        "NODE ADDRESS STATE RANKS",
                                        "node0 127.0.0.1 runs 0-1 2 running",
                                        " rank 0 running process",
                                        " rank 1 running process",
                                        "node1 127.0.0.2 left (drained) 2-3"));
                assertThat(control("events"))
                        .map(line -> line.substring(line.indexOf('[')))
                        .contains("[control] node node1 (127.0.0.2) is asked to leave");
                Files.createFile(end);
                assertThat(zero.awaitExit()).as(zero.log()).isZero();

                assertThat(follower.rank(0).awaitExit())
                        .as(follower.rank(0).log())
                        .isZero();
                assertThat(follower.rank(0).lines())
                        .map(line -> line.replaceAll(".*\"node\":\"(.*)\",\"kind\":\"(.*)\",\"text\".*", "$1 $2"))
                        .contains("node0 NODE_CAME", "node1 NODE_CAME")
                        .containsSubsequence("control CYCLE", "control DRAIN", "node1 NODE_LEFT", "node0 JOB_ENDED");
            }
        }
    }

    @Test
    void scaledJobLosesANodeAndItsReplacementWaitsForRoom() throws Exception {
        String script = WAIT.formatted(end);
        try (Launched zero = script(1, "node0", script);
                Launched one = script(2, "node1", script)) {
            zero.awaitLine("[rank 0] ready");
            one.awaitLine("[rank 3] ready");

            assertThat(control("scale", "1:1"))
                    .singleElement()
                    .asString()
                    .startsWith("job default: nnodes is 1:1 from now on; asked to leave: node1 (127.0.0.2)."
                            + " WORLD_SIZE stays 4");
            assertThat(one.awaitExit()).as(one.log()).isZero();
            try (Launched two = script(3, "node2", script)) {
                two.awaitLog("as many nodes as may take part are there: this one waits");
                control("scale", "1:2", "--rdzv-id", "default");
                two.awaitLine("[rank 3] ready");
                Files.createFile(end);
                assertThat(two.awaitExit()).as(two.log()).isZero();
                assertThat(zero.awaitExit()).as(zero.log()).isZero();
            }
        }
    }

    @Tag("full")
    @Test
    void scaledHardJobStartsAgainInAWorldOfTheNewSize() throws Exception {
        String script =
                "echo cycle $TORCHELASTIC_RESTART_COUNT of $WORLD_SIZE; while [ ! -e '%s' ]; do sleep 0.05; done"
                        .formatted(end);
        try (Launched zero = script(1, "node0", script, "--restart-policy", "hard");
                Launched one = script(2, "node1", script, "--restart-policy", "hard")) {
            zero.awaitLine("[rank 0] cycle 0 of 4");
            one.awaitLine("[rank 3] cycle 0 of 4");

            assertThat(control("scale", "1"))
                    .containsExactly("job default: nnodes is 1:1 from now on; asked to leave: node1 (127.0.0.2);"
                            + " all ranks start again in cycle 1");
            assertThat(one.awaitExit()).as(one.log()).isZero();
            zero.awaitLine("[rank 1] cycle 1 of 2");
            try (Launched two = script(3, "node2", script, "--restart-policy", "hard")) {
                two.awaitLog("this one waits");
                control("scale", "2", "--rdzv-id", "default");
                zero.awaitLine("[rank 0] cycle 2 of 4");
                two.awaitLine("[rank 3] cycle 2 of 4");
                assertThat(control("status").get(0)).contains("cycle 2, 0 process restarts");
                Files.createFile(end);
                assertThat(two.awaitExit()).as(two.log()).isZero();
                assertThat(zero.awaitExit()).as(zero.log()).isZero();
            }
        }
    }

    /** Starts a command about the job; waits until the job is there. */
    private List<String> control(String command, String... more) throws Exception {
        return new Control(directory, endpoint).run(command, more);
    }

    @Tag("full")
    @Test
    void ranksOfANodeThatComesBackJoinTheOthers() throws Exception {
        try (Launched zero = Launched.training(directory, "node0", end, options(1));
                Launched one = Launched.training(directory, "node1", end, options(2))) {
            zero.awaitLine("[rank 0] FOUNDED in a world of 4, generation 0, iteration 0");
            one.awaitLine("[rank 3] FOUNDED in a world of 4, generation 0, iteration 0");

            one.process().kill();
            zero.awaitThatWorldIs(2);
            try (Launched again =
                    Launched.training(Files.createDirectory(directory.resolve("again")), "node1", end, options(2))) {
                again.awaitThatWorldIs(4);
                zero.awaitThatWorldIs(4);
                Files.createFile(end);
                assertThat(again.awaitExit()).as(again.log()).isZero();
                assertThat(zero.awaitExit()).as(zero.log()).isZero();
            }
        }
    }

    /** The nodes have a long lease: a busy host would exceed a short one, and the twin rightly take the place. */
    @Test
    void hostOfTheSameNameAtAnotherAddressIsRefusedAndHarmsNobody() throws Exception {
        String script = WAIT.formatted(end);
        String[] longLease = {"--lease", "10m"};
        try (Launched zero = script(1, "node0", script, longLease);
                Launched one = script(2, "node1", script, longLease)) {
            zero.awaitLine("[rank 0] ready");
            one.awaitLine("[rank 3] ready");
            try (Launched twin =
                    Launched.script(Files.createDirectory(directory.resolve("twin")), "node1", script, options(3))) {
                assertThat(twin.awaitExit()).as(twin.log()).isEqualTo(1);
                assertThat(twin.log())
                        .contains(
                                "node node1 (127.0.0.2) lives, and has the same name as this node at 127.0.0.3",
                                "--node-name");
            }
            Files.createFile(end);
            assertThat(one.awaitExit()).as(one.log()).isZero();
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
        }
    }

    @Tag("full")
    @Test
    void nodeThatHostsTheStoreOutlivesTheOthersHoweverLongTheyRun() throws Exception {
        try (Launched zero = script(1, "node0", "echo done", "--restart-policy", "hard");
                Launched one =
                        script(2, "node1", "sleep 35; echo half; sleep 35; echo done", "--restart-policy", "hard")) {
            one.awaitLine("[rank 2] half");
            assertThat(one.awaitExit()).as(one.log()).isZero();
            assertThat(one.process().lines()).contains("[rank 2] done", "[rank 3] done");
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
            assertThat(zero.log())
                    .contains("all ranks of this node have completed: they start again if all do")
                    .doesNotContain("cycle 1");
        }
    }

    @Tag("full")
    @Test
    void nodeThatHasLeftComesBackToItsPlace() throws Exception {
        String script = WAIT.formatted(end);
        try (Launched zero = script(1, "node0", script);
                Launched one = script(2, "node1", script)) {
            zero.awaitLine("[rank 0] ready");
            one.awaitLine("[rank 3] ready");
            one.process().signal("TERM");
            assertThat(one.awaitExit()).as(one.log()).isEqualTo(143);

            try (Launched again =
                    Launched.script(Files.createDirectory(directory.resolve("again")), "node1", script, options(2))) {
                again.awaitLine("[rank 2] ready");
                again.awaitLine("[rank 3] ready");
                Files.createFile(end);
                assertThat(again.awaitExit()).as(again.log()).isZero();
                assertThat(zero.awaitExit()).as(zero.log()).isZero();
            }
        }
    }

    @Tag("full")
    @Test
    void abortOfARankEndsTheJobOnAllNodesAndKeepsItEnded() throws Exception {
        String script = "[ $RANK != 3 ] || { sleep 1; exit 93; }; echo ready; exec sleep 1000";
        try (Launched zero = script(1, "node0", script);
                Launched one = script(2, "node1", script)) {
            assertThat(one.awaitExit()).as(one.log()).isEqualTo(93);
            assertThat(zero.awaitExit()).as(zero.log()).isEqualTo(93);
            assertThat(zero.log()).contains("the job has ended: rank 3 (process", "it asks not to be started again");
        }
    }

    @Tag("full")
    @Test
    void lossOfTheNodeThatHostsTheStoreEndsTheOthersAndSaysWhatToDo() throws Exception {
        String script = WAIT.formatted(end);
        try (Launched zero = script(1, "node0", script);
                Launched one = script(2, "node1", script, "--lease", "2s")) {
            zero.awaitLine("[rank 0] ready");
            one.awaitLine("[rank 3] ready");

            zero.process().kill();

            assertThat(one.awaitExit()).as(one.log()).isEqualTo(1);
            assertThat(one.log()).contains("this agent cannot go on without its store", "start 'resiliency store'");
        }
    }

    @Tag("full")
    @Test
    void nodeWithAnotherSecretIsRefused() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "one secret of the whole job");
        Path other = Files.writeString(directory.resolve("other"), "another secret of a stranger");
        String script = WAIT.formatted(end);
        String variable = "RESILIENCY_STORE_SECRET_FILE";
        try (Launched zero = Launched.script(
                        directory,
                        "node0",
                        script,
                        Map.of(variable, secret.toString()),
                        options(1, "--nnodes", "1:2"));
                Launched one = Launched.script(
                        directory,
                        "node1",
                        script,
                        Map.of(variable, other.toString()),
                        options(2, "--nnodes", "1:2"))) {
            assertThat(one.awaitExit()).as(one.log()).isEqualTo(1);
            assertThat(one.log()).contains("secret").doesNotContain("runs rank");
            zero.awaitLine("[rank 0] ready");
            Files.createFile(end);
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
        }
    }

    @Tag("full")
    @Test
    void tooFewNodesAreNamed() throws Exception {
        try (Launched zero = script(1, "node0", "true", "--rdzv-timeout", "1s")) {
            assertThat(zero.awaitExit()).as(zero.log()).isEqualTo(1);
            assertThat(zero.log())
                    .contains("only 1 of 2 nodes came within 1 s: node0 (127.0.0.1)")
                    .contains("report 1: NODES_MISSING on node node0, first node node0: restart (start an agent");
        }
    }

    @Tag("full")
    @Test
    void nodesBeyondTheLeastNumberAreSpare() throws Exception {
        String[] more = {"--nnodes", "1:2", "--rdzv-last-call", "20s"};
        try (Launched zero = Launched.training(directory, "node0", end, options(1, more));
                Launched one = Launched.training(directory, "node1", end, options(2, more))) {
            zero.awaitLine("[rank 0] FOUNDED in a world of 2, generation 0, iteration 0");
            one.awaitLog("this is spare node 1");
            one.awaitLog("runs spare 1.1");

            Files.createFile(end);
            assertThat(one.awaitExit()).as(one.log()).isZero();
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
        }
    }
}
