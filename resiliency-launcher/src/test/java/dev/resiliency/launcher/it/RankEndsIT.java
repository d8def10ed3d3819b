package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.testing.ProcessJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that end in unusual ways, or do not end when they should. */
@Tag("full")
class RankEndsIT {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    /** Ignores what asks it to end. */
    private static final String STUBBORN = "trap '' TERM INT; echo ready; while :; do sleep 0.05; done";

    @TempDir
    private Path directory;

    private Launched script(String script, String... options) throws Exception {
        return Launched.script(directory, "node", script, options);
    }

    private Path source(String name, String body) throws Exception {
        return Files.writeString(
                directory.resolve(name + ".java"),
                "class %s { public static void main(String[] arguments) throws Exception { %s } }"
                        .formatted(name, body));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kill -SEGV $$|was ended by SIGSEGV",
                "kill -ABRT $$|was ended by SIGABRT",
                "exit 143|was ended by SIGTERM",
                "exit 255|exited with code 255"
            })
    void rankThatCrashesRunsAgain(String crash, String reason) throws Exception {
        try (Launched agent = script("[ $TORCHELASTIC_RESTART_COUNT = 1 ] || { %s; }".formatted(crash))) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log()).contains(reason, "restart 1 of 10 within 1h");
        }
    }

    @Test
    void jvmThatRunsOutOfMemoryRunsAgain() throws Exception {
        Path hungry = source(
                "Hungry",
                "var all = new java.util.ArrayList<byte[]>();"
                        + " while (\"0\".equals(System.getenv(\"TORCHELASTIC_RESTART_COUNT\")))"
                        + " all.add(new byte[1 << 20]);");
        try (Launched agent = Launched.command(
                directory,
                "node",
                List.of(JAVA, "-Xmx64m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", hungry.toString()))) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log()).contains("exited with code 3", "restart 1 of 10 within 1h");
        }
    }

    @Test
    void optionThatAJvmDoesNotKnowEndsTheJobAtOnceAndIsQuoted() throws Exception {
        try (Launched agent = Launched.command(
                directory, "node", List.of(JAVA, "-XX:+NoSuchOption", "Train"), "--nproc-per-node", "2")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(93);
            assertThat(agent.log()).contains("cannot run, whenever it starts: Unrecognized VM option 'NoSuchOption'");
        }
    }

    @Test
    void fileThatCannotBeExecutedIsNamed() throws Exception {
        Path text = Files.writeString(directory.resolve("train.sh"), "echo never");
        try (Launched agent = Launched.command(directory, "node", List.of(text.toString()), "--nproc-per-node", "2")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(126);
            assertThat(agent.log())
                    .contains(text + " is not executable: chmod +x it")
                    .doesNotContain("restart 1");
        }
    }

    @Test
    void commandThatIsMissingOnOneNodeEndsThatNodeAlone() throws Exception {
        Path end = directory.resolve("end");
        String endpoint = "127.0.0.1:" + ProcessJob.freePort();
        String[] options = {"--nnodes", "2", "--rdzv-endpoint", endpoint, "--local-addr", "127.0.0.1"};
        String[] other = options.clone();
        other[other.length - 1] = "127.0.0.2";
        try (Launched zero = Launched.script(
                        directory,
                        "node0",
                        "echo ready; while [ ! -e '%s' ]; do sleep 0.05; done".formatted(end),
                        options);
                Launched one = Launched.command(directory, "node1", List.of("no-such-program"), other)) {
            assertThat(one.awaitExit()).as(one.log()).isEqualTo(127);
            zero.awaitLine("ready");
            zero.awaitLog("node node1 (127.0.0.2) has left: the others continue without it");
            Files.createFile(end);
            assertThat(zero.awaitExit()).as(zero.log()).isZero();
        }
    }

    @Test
    void rankThatHangsInItsShutdownIsKilledAfterTheGrace() throws Exception {
        Path hanging = source(
                "Hanging",
                "Runtime.getRuntime().addShutdownHook(new Thread(() -> { while (true) { try { Thread.sleep(1000); }"
                        + " catch (InterruptedException e) { } } })); System.out.println(\"ready\");"
                        + " Thread.sleep(1000000);");
        String script =
                "[ $RANK = 0 ] || exec '%s' -Xmx64m -XX:+UseSerialGC '%s'; %s".formatted(JAVA, hanging, STUBBORN);
        try (Launched agent = script(script, "--nproc-per-node", "2", "--grace", "1s")) {
            agent.awaitLine("[rank 0] ready");
            agent.awaitLine("[rank 1] ready");

            agent.process().signal("TERM");

            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(143);
            assertThat(agent.log().lines().filter(line -> line.contains("has not ended within 1s: it is killed")))
                    .hasSize(2);
            assertThat(agent.process().family()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft-no-replace", "hard"})
    void rankThatHangsInItsShutdownDoesNotStopTheOthersFromStartingAgain(String policy) throws Exception {
        Path begun = directory.resolve("begun");
        String script = ("echo run $TORCHELASTIC_RESTART_COUNT; [ $TORCHELASTIC_RESTART_COUNT = 0 ] || exit 0;"
                        + " if [ $RANK = 1 ]; then while [ ! -e '%s' ]; do sleep 0.05; done; exit 1; fi;"
                        + " trap '' TERM; touch '%s'; while :; do sleep 0.05; done")
                .formatted(begun, begun);
        try (Launched agent = script(script, "--nproc-per-node", "2", "--grace", "1s", "--restart-policy", policy)) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log()).contains("rank 0 (process", "has not ended within 1s: it is killed");
            assertThat(agent.process().lines()).contains("[rank 0] run 1", "[rank 1] run 1");
        }
    }

    @Test
    void secondSignalDuringAShutdownKillsAtOnce() throws Exception {
        try (Launched agent = script(STUBBORN, "--nproc-per-node", "2", "--grace", "1h")) {
            agent.awaitLine("[rank 0] ready");
            agent.awaitLine("[rank 1] ready");

            agent.process().signal("TERM");
            agent.awaitLog("rank 1 (process " + agent.rank(1).pid() + ") receives SIGTERM");
            agent.process().signal("TERM");

            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(143);
            assertThat(agent.process().family()).isEmpty();
        }
    }

    @Test
    void nodeOfAnotherReleaseIsRefused() throws Exception {
        try (ProcessJob server = ProcessJob.builder(
                        ResiliencyCommand.class, Files.createDirectory(directory.resolve("store")))
                .javaOptions("-Xmx256m")
                .arguments("store", "--port", "0", "--max-total-bytes", "100000000")
                .start()) {
            String listens = "Store listens on ";
            server.rank(0)
                    .awaitThat(
                            "listens",
                            () -> server.rank(0).lines().stream().anyMatch(line -> line.startsWith(listens)));
            String endpoint = server.rank(0).lines().get(0).substring(listens.length());
            int port = Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
            try (TcpStore store = TcpStore.builder()
                    .port(port)
                    .connectTimeout(Duration.ofSeconds(30))
                    .connect()) {
                store.set("agents/default/terms", "999 1 1 soft of the future");

                try (Launched agent = script("echo never", "--rdzv-endpoint", endpoint)) {
                    assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(1);
                    assertThat(agent.log())
                            .contains("its agents speak another version of the protocol", "use the same release");
                    assertThat(agent.process().lines()).isEmpty();
                }
                assertThat(store.keys("agents/default/")).containsExactly("agents/default/terms");
            }
        }
    }
}
