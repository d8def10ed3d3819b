package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agents of three nodes, of which that which hosts the store is lost with its ranks. */
class LostHostIT {
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
        return Launched.optionsOfNode(node, 3, 1, endpoint, more);
    }

    private Launched training(int node, String folder, String... more) throws IOException {
        return Launched.training(
                Files.createDirectories(directory.resolve(folder)), "node" + node, end, options(node, more));
    }

    @Test
    void othersGoOnAndLaterAlsoWithoutTheNextHost() throws Exception {
        String[] status = {"--status-port", "0"};
        try (Launched first = training(1, "a", status);
                Launched second = training(2, "b", status);
                Launched third = training(3, "c", status)) {
            for (Launched each : List.of(first, second, third)) {
                each.awaitLine("FOUNDED in a world of 3, generation 0, iteration 0");
            }
            Control control = new Control(directory, endpoint);
            ProcessJob events = control.start("events", "--follow", "--json");
            awaitEvent(events, "NODE_CAME", "node3");

            first.process().kill();
            for (Launched each : List.of(second, third)) {
                each.awaitLine("SURVIVED in a world of 2, generation 1, iteration 100");
                assertThat(each.log()).containsPattern("process \\d+ goes on as rank \\d");
            }
            try (events;
                    Launched again = training(1, "d")) {
                again.awaitLog("the job lives at");
                again.awaitThatWorldIs(3);
                // its agent says where the job lives now
                assertThat(control.run("status").get(0)).contains("job default: 3 nodes with 1 ranks each");
                boolean isSecond = second.log().contains("this agent hosts the store");
                Launched host = isSecond ? second : third;
                Launched other = isSecond ? third : second;
                assertThat(other.log()).doesNotContain("the status page");
                URI page = URI.create(StatusIT.pageOf(host));
                await().untilAsserted(
                                () -> assertThat(read(page.resolve("job.json"))).contains("node1", "node2", "node3"));

                host.process().kill();
                for (Launched each : List.of(other, again)) {
                    each.awaitLine("SURVIVED in a world of 2, generation 2, iteration 200");
                }
                Files.createFile(end);
                assertThat(other.awaitExit()).as(other.log()).isZero();
                assertThat(again.awaitExit()).as(again.log()).isZero();

                RankProcess follower = events.rank(0);
                assertThat(follower.awaitExit()).as(follower.log()).isZero();
                assertThat(follower.lines())
                        .as("each event once, of all three stores")
                        .doesNotHaveDuplicates()
                        .anyMatch(line -> line.contains("since the agent that did is gone"))
                        .last()
                        .asString()
                        .contains("JOB_ENDED");
            }
        }
    }

    private static void awaitEvent(ProcessJob follower, String kind, String text) throws InterruptedException {
        RankProcess process = follower.rank(0);
        process.awaitThat(
                "tells of " + kind,
                () -> process.lines().stream().anyMatch(line -> line.contains(kind) && line.contains(text)));
    }

    private static String read(URI address) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(10)).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    @Tag("full")
    @Test
    void hostThatWasSuspendedFollowsTheOthersAndItsRankDoesNotGoOnAlone() throws Exception {
        String[] lease = {"--lease", "5s"};
        try (Launched first = training(1, "a", lease);
                Launched second = training(2, "b", lease);
                Launched third = training(3, "c", lease)) {
            for (Launched each : List.of(first, second, third)) {
                each.awaitLine("FOUNDED in a world of 3, generation 0, iteration 0");
            }
            first.process().signal("STOP");
            for (Launched each : List.of(second, third)) {
                each.awaitLine("SURVIVED in a world of 2, generation 1, iteration 100");
            }
            first.process().signal("CONT");
            first.awaitLog("This store stood still for");
            first.awaitThatWorldIs(3);
            assertThat(first.process().lines()).noneMatch(line -> line.contains("in a world of 1"));

            boolean isSecond = second.log().contains("this agent hosts the store");
            Launched host = isSecond ? second : third;
            (isSecond ? third : second).process().kill();
            try (Launched again = training(isSecond ? 3 : 2, "d", lease)) {
                again.awaitLog("the job lives at");
                again.awaitThatWorldIs(3);

                Files.createFile(end);
                for (Launched each : List.of(first, host, again)) {
                    assertThat(each.awaitExit()).as(each.log()).isZero();
                }
            }
        }
    }

    @Tag("full")
    @Test
    void hostThatASignalEndsLetsTheOthersGoOnWithoutIt() throws Exception {
        try (Launched first = training(1, "a");
                Launched second = training(2, "b");
                Launched third = training(3, "c")) {
            for (Launched each : List.of(first, second, third)) {
                each.awaitLine("FOUNDED in a world of 3, generation 0, iteration 0");
            }
            first.process().signal("TERM");

            assertThat(first.awaitExit()).as(first.log()).isEqualTo(143);
            assertThat(first.log()).contains("so it waits until node").doesNotContain("still need the store");
            for (Launched each : List.of(second, third)) {
                each.awaitLine("SURVIVED in a world of 2, generation 1, iteration 100");
            }
            for (Launched each : List.of(second, third)) { // as a scheduler ends a whole job
                each.process().signal("TERM");
            }
            for (Launched each : List.of(second, third)) {
                assertThat(each.awaitExit()).as(each.log()).isEqualTo(143);
                assertThat(each.log()).contains("cycle 1: ").doesNotContain("cycle 2: ", "still need the store");
                assertThat(each.process().lines()).noneMatch(line -> line.contains("generation 2"));
            }
        }
    }

    @Test
    void signalEndsAnAgentThatWaitsForAStore() throws Exception {
        String script = "echo ready; exec sleep 1000";
        try (Launched first = Launched.script(directory, "node1", script, options(1));
                Launched second = Launched.script(directory, "node2", script, options(2));
                Launched third = Launched.script(directory, "node3", script, options(3))) {
            for (Launched each : List.of(first, second, third)) {
                each.awaitLine("ready");
            }

            third.process().signal("STOP"); // without it, there is no majority
            first.process().kill();
            second.awaitLog("this node goes on with the next one, if the agents can found it");
            second.awaitLog("was ended by SIGTERM");
            second.process().signal("TERM");

            assertThat(second.awaitExit()).as(second.log()).isEqualTo(143);
            assertThat(second.log()).contains("received SIGTERM while it waited for the store; exit code 143");
        }
    }

    @Test
    void jobEndsWithItsHostIfThatIsWanted() throws Exception {
        String script = "echo ready; exec sleep 1000";
        try (Launched first = Launched.script(directory, "node1", script, options(1, "--no-refound"));
                Launched second = Launched.script(directory, "node2", script, options(2, "--no-refound"));
                Launched third = Launched.script(directory, "node3", script, options(3, "--no-refound"))) {
            for (Launched each : List.of(first, second, third)) {
                each.awaitLine("ready");
            }

            first.process().kill();

            assertThat(second.awaitExit()).as(second.log()).isEqualTo(1);
            assertThat(third.awaitExit()).as(third.log()).isEqualTo(1);
            assertThat(third.log()).contains("this agent cannot go on without its store", "start 'resiliency store'");
        }
    }

    @Test
    void allRanksStartAgainTogetherUnderHard() throws Exception {
        String script =
                "echo cycle $TORCHELASTIC_RESTART_COUNT of $WORLD_SIZE; while [ ! -e '%s' ]; do sleep 0.05; done"
                        .formatted(end);
        String[] hard = {"--nnodes", "2:3", "--rdzv-last-call", "20s", "--restart-policy", "hard"};
        try (Launched first = Launched.script(directory, "node1", script, options(1, hard));
                Launched second = Launched.script(directory, "node2", script, options(2, hard));
                Launched third = Launched.script(directory, "node3", script, options(3, hard))) {
            for (Launched each : List.of(first, second)) {
                each.awaitLine("cycle 0 of 2");
            }
            third.awaitLog("this is spare node 2");

            first.process().kill();
            for (Launched each : List.of(second, third)) {
                each.awaitLine("cycle 1 of 2");
            }
            Files.createFile(end);
            assertThat(second.awaitExit()).as(second.log()).isZero();
            assertThat(third.awaitExit()).as(third.log()).isZero();
        }
    }
}
