package dev.resiliency.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.examples.job.Script;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the demo as a user does: the script, with real processes, real signals, and nothing left afterwards. */
class DemoIT {
    /** All processes of a demo inherit this variable, even orphans. */
    private static final String MARK = "RESILIENCY_DEMO_IT";

    private final String mark = UUID.randomUUID().toString();

    private Script script;

    @BeforeEach
    void setUp(@TempDir Path directory) throws IOException {
        script = new Script(directory, "demo.sh").with(MARK, mark);
    }

    @AfterEach
    void noProcessIsLeft() {
        List<Long> left = marked();
        left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        assertThat(left).as("processes that the demo left behind").isEmpty();
    }

    /** From JDK 24 on, the JVM would warn of Netty and JNA. */
    @Test
    void jarMayUseNativeCode() throws Exception {
        try (JarFile jar = new JarFile("target/resiliency-examples-digits.jar")) {
            assertThat(jar.getManifest().getMainAttributes().getValue("Enable-Native-Access"))
                    .isEqualTo("ALL-UNNAMED");
        }
    }

    @Test
    void defaultFaultsAreSurvivedByAllButTheKilledRank() throws Exception {
        JsonNode json = script.demo();

        assertThat(json.get("ranks").intValue()).isEqualTo(4);
        assertThat(json.get("survivors").intValue()).isEqualTo(3);
        assertThat(json.get("steps").intValue()).isEqualTo(2000);
        assertThat(json.get("accuracy").doubleValue()).isGreaterThanOrEqualTo(0.95);
        assertThat(json.get("restarts").findValuesAsText("cause")).containsExactly("exception", "kill");
        assertThat(json.get("stepsLost").intValue()).isZero();
        assertThat(json.get("restarts")).allSatisfy(restart -> {
            assertThat(restart.get("stateFrom").textValue()).isIn("memory", "peers");
            assertThat(restart.get("totalMs").doubleValue()).isPositive();
        });
        assertThat(script.output()).contains("RESTARTED ", "; state from ", "STEPS LOST: 0");
    }

    /** Rank 0 leads, and would host the store if the demo did not. */
    @Tag("full")
    @Test
    void everyRankCanBeReplacedAlsoTheReplacement() throws Exception {
        JsonNode json = script.report(
                "--replace",
                "--ranks=3",
                "--steps=1600",
                "--fault=kill:0@200",
                "--fault=system-exit:2@600",
                "--fault=kill:0@1000");

        assertWholeWorld(json, 3);
        assertThat(json.get("joins").findValuesAsText("rank")).containsExactly("3", "4", "5");
        assertThat(json.get("joins").findValuesAsText("replaces")).containsExactly("0", "2", "3");
    }

    @Tag("full")
    @Test
    void lostHostIsReplacedWhenTheOthersHaveGoneOnWithoutIt() throws Exception {
        JsonNode json = script.report("--replace", "--ranks=3", "--steps=1000", "--fault=host-loss:1@200");

        assertWholeWorld(json, 3);
        assertThat(json.get("joins").findValuesAsText("replaces")).containsExactly("1");
    }

    @Tag("full")
    @Test
    void demoOfTheGuideReplacesARank() throws Exception {
        JsonNode json = documented("examples/demo.sh --replace");

        assertWholeWorld(json, 4);
        assertThat(json.get("restarts").findValuesAsText("cause")).startsWith("exception", "kill");
        assertThat(json.get("joins")).hasSize(1);
    }

    @Tag("full")
    @Test
    void demoOfTheGuideReplacesAReserve() throws Exception {
        JsonNode json = documented("examples/demo.sh --replace --active 3");

        assertWholeWorld(json, 4);
        assertThat(json.get("joins").findValuesAsText("rank")).containsExactly("4");
        assertThat(json.get("joins").findValuesAsText("replaces")).containsExactly("1");
        assertThat(script.output())
                .contains(
                        "rank 3, a reserve, takes over",
                        "restart 2: 3 of 4 ranks are training again",
                        "rank 1 is started again",
                        "rank 1 waits until it is needed",
                        "rank 4 joined ",
                        "restart 3: 3 of 4 ranks are training again",
                        "rank 0 is started again");
    }

    @Tag("full")
    @Test
    void demoOfTheGuideGoesOnFromTheCheckpointWhenAllRanksAreKilled() throws Exception {
        JsonNode json = documented("examples/demo.sh --fault kill:all@1050");

        assertWholeWorld(json, 4);
        assertThat(json.get("generation").intValue()).isOne();
        assertThat(json.get("joins")).isEmpty();
        assertThat(json.get("stepsLost").intValue()).isEqualTo(49);
        assertThat(script.output())
                .contains(
                        "step 1050, on purpose: SIGKILL ends the process, on all ranks",
                        "back to the checkpoint of step 1000: 49 steps lost",
                        "generation 1 began in iteration 100");
    }

    /** Runs a command as one of the pages has it. */
    private JsonNode documented(String command) throws IOException, InterruptedException {
        try (Stream<Path> files = Files.list(Path.of("../../docs"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".md")))
                    .anySatisfy(page -> assertThat(page).content().contains("\n" + command + "\n"));
        }
        List<String> words = List.of(command.split(" ", -1));
        return script.report(words.subList(1, words.size()).toArray(String[]::new));
    }

    private void assertWholeWorld(JsonNode json, int ranks) {
        assertThat(json.get("survivors").intValue()).isEqualTo(ranks);
        assertThat(json.get("worldSizeAtEnd").intValue()).isEqualTo(ranks);
        assertThat(json.get("accuracy").doubleValue()).isGreaterThanOrEqualTo(0.95);
        assertThat(script.output()).doesNotContain("FAILED");
    }

    @Tag("full")
    @Test
    void hangsAndALostHostAreSurvivedByTheOthers() throws Exception {
        JsonNode json = script.demo(
                "--steps=800", "--fault=stop-ping:2@100", "--fault=sigstop:3@200", "--fault=host-loss:1@300");

        assertThat(json.get("survivors").intValue()).isEqualTo(2);
        assertThat(script.output())
                .contains(
                        "rank 2 at step 100, on purpose: the function continues, but stops pinging",
                        "rank 3 at step 200, on purpose: SIGSTOP suspends the process",
                        "rank 1 at step 300, on purpose: the process and its monitor process are suspended, as on a lost host");
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void signalEndsAllProcessesAndDeletesAllFiles(String signal, int expected) throws Exception {
        Process demo = script.start();
        script.awaitOutput(demo, "restart 1:");

        new ProcessBuilder("kill", "-" + signal, Long.toString(demo.pid()))
                .start()
                .waitFor();

        assertThat(script.exitCode(demo)).isEqualTo(expected);
        assertThat(script.output()).doesNotContain("FAILED");
        assertThat(script.filesLeft()).isEmpty();
    }

    @Tag("full")
    @Test
    void killedDemoLeavesNoProcessBehind() throws Exception {
        Process demo = script.start();
        script.awaitOutput(demo, "step ");

        demo.destroyForcibly().waitFor();

        await().atMost(Script.LIMIT).until(() -> marked().isEmpty());
    }

    @Tag("full")
    @Test
    void deathOfTheRankThatHostsTheStoreIsSurvived() throws Exception {
        assertThat(script.demo("--ranks=3", "--fault=kill:0@100")
                        .get("survivors")
                        .intValue())
                .isEqualTo(2);
        assertThat(script.output()).contains("RESTARTED ");
    }

    @Test
    void mistakeOfTheUserIsReportedAtOnce() throws Exception {
        assertThat(script.run("--fault=kill:4@100")).isEqualTo(2);

        assertThat(script.output())
                .isEqualTo("error: kill:4@100: there is no rank 4, ranks go from 0 to 3 (see --help)\n");
    }

    private List<Long> marked() {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(this::isMarked)
                .toList();
    }

    private boolean isMarked(long pid) {
        try {
            String environment = new String(Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ")), UTF_8);
            return List.of(environment.split("\0", -1)).contains(MARK + "=" + mark);
        } catch (IOException e) {
            return false; // it has just ended, or belongs to another user
        }
    }
}
