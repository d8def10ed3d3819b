package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/resiliency} as process 1 of a PID namespace, as in a container. */
class FirstProcessIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final List<String> CONTAINER = List.of("unshare", "-pf", "--mount-proc", "--kill-child");

    @TempDir
    private Path directory;

    private Process runAgent(String script) throws Exception {
        return start(
                Path.of("bin/resiliency").toAbsolutePath().toString(),
                "run",
                "--run-dir",
                directory.resolve("run").toString(),
                "--",
                "bash",
                "-c",
                script);
    }

    private Process start(String... firstProcess) throws Exception {
        assumeTrue(
                new ProcessBuilder(Stream.concat(CONTAINER.stream(), Stream.of("true"))
                                        .toList())
                                .start()
                                .waitFor()
                        == 0,
                "NOT CHECKED: the agent as process 1, as this user may not create a PID namespace");
        List<String> command =
                Stream.concat(CONTAINER.stream(), Stream.of(firstProcess)).toList();
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output().toFile())
                .start();
    }

    private Path output() {
        return directory.resolve("output");
    }

    @Test
    void orphansOfItsRanksDoNotPileUp() throws Exception {
        String orphans = "for i in 1 2 3 4 5; do (setsid sleep 0.1 &); done; (env -i setsid sleep 0.1 &)";
        String count = "echo zombies: $(grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null | wc -l)";
        Process process = runAgent(orphans + "; sleep 1; " + count);
        try {
            assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(Files.readString(output())).contains("zombies: 0");
        } finally {
            process.destroyForcibly();
        }
    }

    @Tag("full")
    @Test
    void doctorWarnsWhereNobodyWaitsForOrphans() throws Exception {
        Process process = start(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ResiliencyCommand.class.getName(),
                "doctor");
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(output())).containsPattern("warning +orphans +process 1 is java");
    }

    @Tag("full")
    @Test
    void signalsReachTheAgentAndItsExitCodeComesBack() throws Exception {
        Process process = runAgent("echo ready; exec sleep 1000");
        try {
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(Files.readString(output())).contains("ready"));
            process.children().forEach(ProcessHandle::destroy); // the first process of the namespace

            assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(143);
            assertThat(Files.readString(output())).contains("received SIGTERM; exit code 143");
        } finally {
            process.destroyForcibly();
        }
    }
}
