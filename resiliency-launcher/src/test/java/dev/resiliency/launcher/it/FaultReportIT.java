package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.ProcessJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of fault, in a job of real processes under an agent: the report names its cause. */
class FaultReportIT {
    /** What the report says when rank 1 is broken in this way; what a star stands for depends on the JDK. */
    private static final String TABLE = """
        EXCEPTION       | USER_EXCEPTION(dev.resiliency.testing.InjectedException, rank 1)
        ERROR           | USER_EXCEPTION(dev.resiliency.testing.InjectedError, rank 1)
        ASYNC_EXCEPTION | USER_EXCEPTION(*
        SIGKILL         | KILLED(SIGKILL)
        SIGTERM         | KILLED(SIGTERM)
        SIGINT          | EXITED(130)
        SIGSTOP         | HANG_IN(rank 1)
        SIGSEGV         | SEGFAULT(libc.so.6)
        ABORT           | KILLED(SIGABRT)
        SYSTEM_EXIT     | EXITED(17)
        SLEEP_FOREVER   | HANG_IN(dev.resiliency.testing.Hang.sleep)
        SPIN_FOREVER    | HANG_IN(dev.resiliency.testing.Hang.spin)
        DEADLOCK        | HANG_IN(dev.resiliency.testing.Hang.deadlock)
        BLOCKED_READ    | HANG_IN(dev.resiliency.testing.Hang.read)
        BLOCKED_NATIVE  | HANG_IN(dev.resiliency.testing.Hang.standInNativeFunction)
        STOP_PING       | HANG_IN(*
        OUT_OF_MEMORY   | OUT_OF_HEAP(rank 1)
        KILL_MONITOR    | KILLED(monitor process of rank 1)
        HOST_LOSS       | HOST_LOST(host of rank 1)
        """;

    @TempDir
    private Path directory;

    static Stream<Arguments> rows() {
        return TABLE.lines()
                .map(line -> line.split(" *\\| *", -1))
                .map(cells -> Arguments.of(FaultKind.valueOf(cells[0]), cells[1].trim()));
    }

    @Test
    void tableHasEachKindOfFault() {
        assertThat(rows().map(row -> row.get()[0]))
                .containsExactlyInAnyOrderElementsOf(EnumSet.allOf(FaultKind.class).stream()
                        .map(Object.class::cast)
                        .toList());
    }

    @Tag("full")
    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void reportNamesTheCause(FaultKind kind, String verdict) throws Exception {
        try (Launched agent = broken(kind + ":1@200", 3)) {
            JsonNode report = report(agent, 1);

            assertThat(report.path("verdict").textValue())
                    .as(report.toPrettyString())
                    .matches(Pattern.quote(verdict).replace("*", "\\E.*\\Q"));
            assertThat(report.path("first").textValue())
                    .as(report.toPrettyString())
                    .isEqualTo("rank 1");
            assertThat(report.path("node").textValue()).isEqualTo("node");
            assertThat(report.path("others")).as(report.toPrettyString()).isEmpty();
            if (kind == FaultKind.SIGINT) { // rank 1 exits with 130, so the job ends, and rank 0 with it
                assertThat(report.path("followers"))
                        .extracting(JsonNode::textValue)
                        .containsExactlyInAnyOrder("rank 0", "rank 2");
            }
            agent.awaitLog("report 1: " + verdict.replaceFirst("\\*.*", ""));
        }
    }

    /** What no kind of fault is: the report of a rank that hangs in its cleanup, for another thread, or for memory, and of two faults at once. */
    @Tag("full")
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "cleanup|USER_EXCEPTION(java.lang.IllegalStateException, rank 1)|rank 1|",
                "lock|HANG_IN(dev.resiliency.launcher.it.FaultyProgram.awaitLock)|rank 1|",
                "thrash|OUT_OF_HEAP(rank 1)|rank 1|",
                "exception:1@200,kill:2@200|*|rank *|the other one",
            })
    void reportNamesTheCauseAndNotThoseThatWaitForIt(String fault, String verdict, String first, String other)
            throws Exception {
        try (Launched agent = broken(fault, 3)) {
            JsonNode report = report(agent, 1);

            assertThat(report.path("verdict").textValue())
                    .as(report.toPrettyString())
                    .matches(Pattern.quote(verdict).replace("*", "\\E.*\\Q"));
            assertThat(report.path("first").textValue())
                    .matches(Pattern.quote(first).replace("*", "\\E.*\\Q"));
            assertThat(report.path("others").size()).as(report.toPrettyString()).isEqualTo(other == null ? 0 : 1);
        }
    }

    @Tag("full")
    @Test
    void rankThatIsSlowIsNotReported() throws Exception {
        try (Launched agent = broken("slow", 3)) {
            agent.awaitLine("[rank 1] is slow no more");
            Files.createFile(directory.resolve("end"));

            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log()).doesNotContain("report 1");
        }
    }

    @Tag("full")
    @Test
    void rankWithoutMemoryIsNamedAlthoughItAndTheOneThatWaitsForItCountAsHungFirst() throws Exception {
        try (Launched agent = Launched.program(
                directory,
                "node",
                HungryProgram.class,
                directory.resolve("unused"),
                "--nproc-per-node",
                "2",
                "--report-dir",
                directory.resolve("reports").toString())) {
            JsonNode report = report(agent, 1);

            assertThat(report.path("verdict").textValue())
                    .as(report.toPrettyString())
                    .isEqualTo("OUT_OF_HEAP(rank 1)");
            assertThat(report.path("others")).as(report.toPrettyString()).isEmpty();
        }
    }

    @Test
    void rankThatIsKilledIsReportedToWhoeverAsks() throws Exception {
        int port = ProcessJob.freePort();
        try (Launched agent = broken(FaultKind.SIGKILL + ":1@200", 2, "--rdzv-endpoint", "127.0.0.1:" + port)) {
            JsonNode report = report(agent, 1);

            assertThat(report.path("verdict").textValue())
                    .as(report.toPrettyString())
                    .isEqualTo("KILLED(SIGKILL)");
            assertThat(report.path("isWholeAgain").booleanValue()).isTrue();
            // With the report, or a moment later: the program begins all over again, also when the replacement joins.
            agent.awaitLog("steps repeated in 2 restarts (from ");
            Matcher steps = Pattern.compile(
                            "the world .*; (\\d+) steps repeated in 2 restarts \\(from (\\d+) to 0, from (\\d+) to 0\\)")
                    .matcher(resiliency("report", "--rdzv-endpoint", "127.0.0.1:" + port));
            assertThat(steps.find()).isTrue();
            assertThat(Integer.parseInt(steps.group(2))).isBetween(199, 201);
            assertThat(Integer.parseInt(steps.group(1)))
                    .isEqualTo(Integer.parseInt(steps.group(2)) + Integer.parseInt(steps.group(3)));
            assertThat(Files.readString(directory.resolve("reports/report-default-1.txt")))
                    .startsWith("report 1: KILLED(SIGKILL)");
            assertThat(resiliency("report", "--rdzv-endpoint", "127.0.0.1:" + port))
                    .containsPattern(
                            "report 1: KILLED\\(SIGKILL\\) on node node, first rank 1(; 1 more followed)?: restart")
                    .contains("was whole again after");
            assertThat(new ObjectMapper()
                            .readTree(resiliency("report", "--json", "1", "--rdzv-endpoint", "127.0.0.1:" + port))
                            .path("number")
                            .intValue())
                    .isEqualTo(1);
            assertThat(resiliency("events", "--rdzv-endpoint", "127.0.0.1:" + port))
                    .contains("[node] report 1: KILLED(SIGKILL) on node node");
            assertThat(resiliency("report", "7", "--rdzv-endpoint", "127.0.0.1:" + port))
                    .contains("there is no report 7 of job 'default': the store keeps 1 to 1");

            Files.createFile(directory.resolve("end"));
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log()).doesNotContain("report 2");
        }
    }

    private Launched broken(String fault, int ranks, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of(
                "--nproc-per-node",
                Integer.toString(ranks),
                "--report-dir",
                directory.resolve("reports").toString()));
        return Launched.command(
                directory,
                "node",
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FaultyProgram.class.getName(),
                        fault,
                        directory.resolve("end").toString()),
                all.toArray(String[]::new));
    }

    private JsonNode report(Launched agent, int number) throws Exception {
        Path file = directory.resolve("reports/report-default-" + number + ".json");
        Path page = directory.resolve("reports/report-default-" + number + ".txt"); // written behind it
        agent.process().awaitThat("reports", () -> Files.exists(page));
        return new ObjectMapper().readTree(file.toFile());
    }

    private String resiliency(String... arguments) throws Exception {
        Path output = Files.createTempFile(directory, "output", "");
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "--enable-native-access=ALL-UNNAMED",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        ResiliencyCommand.class.getName()),
                                Stream.of(arguments))
                        .toList())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.waitFor();
        return Files.readString(output);
    }
}
