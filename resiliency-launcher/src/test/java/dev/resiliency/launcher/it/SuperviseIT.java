package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.testing.Patience;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Supervises real processes, ends them in every way, and sends real signals. */
class SuperviseIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    private Path directory;

    private Supervised script(String script, String... options) throws IOException {
        return Supervised.script(directory, script, options);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit 0|0|completed|1",
                "sleep 1000 & sleep 1000 & exit 0|0|and has left 2 processes behind, which were ended|1",
                "exit 93|93|asks not to be started again|1",
                "exit 94|94|on another host|1",
                "exit 130|93|RestartAbort|1",
                "exit 127|127|cannot be executed|1",
                "exit 1|93|the restarts are spent (3 within 1h)|4",
                "exit 143|93|was ended by SIGTERM|4",
                "kill -KILL $$|93|was ended by SIGKILL|4",
                "kill -SEGV $$|93|was ended by SIGSEGV|4"
            })
    void endOfTheCommandDecidesWhetherItRunsAgain(String script, int exitCode, String reason, int runs)
            throws Exception {
        try (Supervised supervised = script("echo run; " + script)) {
            assertThat(supervised.awaitExit()).as(supervised.log()).isEqualTo(exitCode);
            assertThat(supervised.log()).contains(reason);
            assertThat(supervised.process().lines()).containsOnly("run").hasSize(runs);
        }
    }

    @Test
    void jvmThatRunsOutOfMemoryRunsAgain() throws Exception {
        String hungry = "var all = new java.util.ArrayList<byte[]>(); while (true) all.add(new byte[1 << 20]);";
        Path program = Files.writeString(
                directory.resolve("Hungry.java"),
                "class Hungry { public static void main(String[] arguments) { " + hungry + " } }");

        try (Supervised supervised = Supervised.command(
                directory,
                List.of(JAVA, "-Xmx64m", "-XX:+ExitOnOutOfMemoryError", program.toString()),
                "--max-restarts",
                "1")) {
            assertThat(supervised.awaitExit()).isEqualTo(93);
            assertThat(supervised.log()).contains("exited with code 3", "restart 1 of 1");
        }
    }

    @Test
    void commandThatCannotBeStartedIsNamedAndNotTriedAgain() throws Exception {
        Path text = Files.writeString(directory.resolve("train.sh"), "echo never");
        try (Supervised supervised = Supervised.command(directory, List.of("no-such-program"))) {
            assertThat(supervised.awaitExit()).isEqualTo(127);
            assertThat(supervised.log()).contains("could not be started: there is no program 'no-such-program'");
        }
        try (Supervised supervised = Supervised.command(directory, List.of(text.toString()))) {
            assertThat(supervised.awaitExit()).isEqualTo(126);
            assertThat(supervised.log()).contains("is not executable: chmod +x it");
        }
    }

    @Test
    void commandThatFailsAtStartUpAgainAndAgainIsGivenUp() throws Exception {
        try (Supervised supervised = script("echo run; exit 1", "--max-startup-failures", "2")) {
            assertThat(supervised.awaitExit()).isEqualTo(93);
            assertThat(supervised.log()).contains("it has failed 2 times in a row within its first 10s");
            assertThat(supervised.process().lines()).hasSize(2);
        }
    }

    @Test
    void argumentsReachTheCommandAsTheyAre() throws Exception {
        try (Supervised supervised = Supervised.command(
                directory, List.of("printf", "%s\\n", "a  b", "", "@file", "--", "--help", "$HOME", "'x'"))) {
            assertThat(supervised.awaitExit()).isZero();
            assertThat(supervised.process().lines())
                    .containsExactly("a  b", "", "@file", "--", "--help", "$HOME", "'x'");
        }
    }

    private static String waiting(String onTerm) {
        return "trap '%s' TERM; echo ready; while :; do sleep 0.05; done".formatted(onTerm);
    }

    @Test
    void signalIsPassedOnAndTheCommandHasTimeToWriteItsCheckpoint() throws Exception {
        try (Supervised supervised = script(waiting("sleep 0.5; echo saved; exit 0"))) {
            supervised.process().awaitLine("ready");
            supervised.process().signal("TERM");

            assertThat(supervised.awaitExit()).isZero();
            assertThat(supervised.process().lines()).containsExactly("ready", "saved");
        }
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130", "HUP, 129"})
    void signalThatEndsTheCommandStaysWhatItMeans(String signal, int exitCode) throws Exception {
        assumeNotIgnored(signal, exitCode - 128);
        try (Supervised supervised = script("echo ready; exec sleep 1000")) {
            supervised.process().awaitLine("ready");
            supervised.process().signal(signal);

            assertThat(supervised.awaitExit()).as(supervised.log()).isEqualTo(exitCode);
            assertThat(supervised.process().family()).isEmpty();
        }
    }

    /** A shell cannot handle a signal that it ignores from its start, as under nohup. */
    private static void assumeNotIgnored(String signal, int number) throws IOException {
        assumeThat(isIgnored(number))
                .as("NOT CHECKED: this build ignores SIG" + signal + ", and so does what it starts")
                .isFalse();
    }

    static boolean isIgnored(int number) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .mapToLong(line -> Long.parseUnsignedLong(
                        line.substring(line.indexOf(':') + 1).strip(), 16))
                .anyMatch(mask -> (mask >> (number - 1) & 1) == 1);
    }

    @Test
    void signalReachesTheWholeProcessGroup() throws Exception {
        try (Supervised supervised = script(
                "(trap 'echo child' TERM; echo ready; sleep 1000 & wait $!) & trap '' TERM; echo ignores; wait")) {
            supervised.process().awaitLine("ready");
            supervised.process().awaitLine("ignores");
            supervised.process().signal("TERM");

            assertThat(supervised.awaitExit()).isZero();
            assertThat(supervised.process().lines()).contains("child");
            assertThat(supervised.process().family()).isEmpty();
        }
    }

    @Test
    void commandThatHangsInItsShutdownIsKilledAfterTheGrace() throws Exception {
        try (Supervised supervised = script(waiting("echo hangs; sleep 1000"), "--grace", "500ms")) {
            supervised.process().awaitLine("ready");
            supervised.process().signal("TERM");

            assertThat(supervised.awaitExit()).isEqualTo(143);
            assertThat(supervised.log()).contains("has not ended within 500ms: it is killed");
            assertThat(supervised.process().family()).isEmpty();
        }
    }

    @Test
    void secondInterruptEndsItAtOnce() throws Exception {
        assumeNotIgnored("INT", 2);
        try (Supervised supervised = script("trap 'echo hangs' INT; echo ready; while :; do sleep 0.05; done")) {
            supervised.process().awaitLine("ready");
            supervised.process().signal("INT");
            supervised.process().awaitLine("hangs");
            supervised.process().signal("INT");

            assertThat(supervised.awaitExit()).isEqualTo(130);
            assertThat(supervised.process().family()).isEmpty();
        }
    }

    @Test
    void commandEndsWithASupervisorThatIsKilled() throws Exception {
        try (Supervised supervised = script("echo ready; exec sleep 1000")) {
            supervised.process().awaitLine("ready");
            supervised.process().kill();

            awaitNobody(supervised.process());
        }
    }

    private static void awaitNobody(RankProcess process) {
        await().atMost(Patience.stretch(LIMIT))
                .untilAsserted(() -> assertThat(process.family()).isEmpty());
    }

    @Test
    void whatSurvivesTheSupervisorIsEndedByTheNextOne() throws Exception {
        // The shell ends with its supervisor, but the kernel does not end its child.
        try (Supervised killed = script("sleep 1000 & echo ready; wait")) {
            killed.process().awaitLine("ready");
            killed.process().kill();
            await().atMost(Patience.stretch(LIMIT))
                    .untilAsserted(() -> assertThat(killed.process().family())
                            .singleElement()
                            .satisfies(left -> assertThat(left.info().command())
                                    .hasValueSatisfying(
                                            command -> assertThat(command).endsWith("/sleep"))));
            assertThat(noted()).anyMatch(file -> !file.toString().endsWith(".tmp"));

            try (Supervised next = script("echo next")) {
                assertThat(next.awaitExit()).isZero();
                assertThat(next.log())
                        .containsPattern("process \\d+ and its children have outlived their supervisor \\d+");
                assertThat(killed.process().family()).isEmpty();
            }
            assertThat(noted()).allMatch(file -> file.toString().endsWith(".tmp"));
        }
    }

    @Test
    void processOfALivingSupervisorIsLeftAlone() throws Exception {
        try (Supervised living = script("echo ready; exec sleep 1000");
                Supervised other = script("echo other")) {
            living.process().awaitLine("ready");
            assertThat(other.awaitExit()).isZero();
            assertThat(other.log()).doesNotContain("outlived");
            // While a process replaces itself, its environment cannot be read.
            await().atMost(Patience.stretch(LIMIT))
                    .untilAsserted(() -> assertThat(living.process().family()).hasSize(2));
        }
    }

    @Test
    void childrenThatACommandLeavesBehindAreEndedBeforeItRunsAgain() throws Exception {
        try (Supervised supervised = script("sleep 1000 & echo run; exit 1", "--max-restarts", "1")) {
            assertThat(supervised.awaitExit()).isEqualTo(93);
            assertThat(supervised.process().family()).isEmpty();
        }
    }

    private List<Path> noted() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("run"))) {
            return files.toList();
        }
    }
}
