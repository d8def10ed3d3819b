package dev.resiliency.launcher.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a running agent lacks for a while costs it nothing for good. */
@Tag("full")
class ShortageIT {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    /** Longer than an agent that ends looks for what its processes have left. */
    private static final Duration LONG_SHORTAGE = Duration.ofSeconds(12);
    /** Each rank has a child that outlives it. */
    private static final String RANK = "sleep 1000 & while [ ! -e '%s' ]; do echo up; sleep 0.1; done; kill $!";

    @TempDir
    private Path directory;

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assumeTrue(process.waitFor() == 0, output); // not everybody may do that
    }

    private static long descriptorsOf(long pid) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/%d/fd".formatted(pid)))) {
            return all.count();
        }
    }

    private static void allow(long pid, long descriptors) throws Exception {
        run("prlimit", "--pid", Long.toString(pid), "--nofile=%d:".formatted(descriptors));
    }

    private static Optional<ProcessHandle> childOf(ProcessHandle rank) {
        return rank.children()
                .filter(child -> child.info().commandLine().orElse("").endsWith("sleep 1000"))
                .findFirst();
    }

    @Test
    void agentWithoutADescriptorLeftSaysSoOnceAndStartsItsRankWhenItHasSome() throws Exception {
        Path end = directory.resolve("end");
        int logPort = ProcessJob.freePort();
        try (Launched agent = Launched.script(
                directory,
                "node",
                RANK.formatted(end),
                "--nproc-per-node",
                "2",
                "--per-cycle-applog-prefix",
                directory.resolve("logs/train").toString(),
                "--enable-log-server",
                "--log-server-port",
                Integer.toString(logPort),
                "--node-health-check-command",
                "true",
                "--health-check-interval",
                "100ms")) {
            ProcessHandle rank = agent.rank(1);
            ProcessHandle other = agent.rank(0);
            await().atMost(Patience.stretch(LIMIT)).until(() -> childOf(rank).isPresent());
            ProcessHandle child = childOf(rank).orElseThrow();
            long pid = agent.process().pid();
            allow(pid, descriptorsOf(pid));
            rank.destroyForcibly();

            agent.awaitLog("it is tried again each 1s");
            await().pollDelay(LONG_SHORTAGE).atMost(Patience.stretch(LIMIT)).until(() -> true);
            allow(pid, 1024);
            agent.awaitLog("runs rank 1 (restart 1 of 10");
            await().atMost(Patience.stretch(LIMIT)).until(() -> !child.isAlive());
            assertThat(other.isAlive()).as(agent.log()).isTrue();
            Files.createFile(end);

            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log())
                    .containsOnlyOnce("it is tried again each 1s")
                    .doesNotContain("defect", "exceptionCaught");
        }
    }

    @Test
    void diskThatIsFullEndsNoRank() throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        Path end = directory.resolve("end");
        run("mount", "-t", "tmpfs", "-o", "size=64k", "none", disk.toString());
        try {
            Files.write(disk.resolve("filler"), new byte[64 << 10]);
            try (Launched agent = Launched.script(
                    directory,
                    "node",
                    RANK.formatted(end),
                    "--nproc-per-node",
                    "2",
                    "--run-dir",
                    disk.resolve("run").toString(),
                    "--report-dir",
                    disk.resolve("reports").toString(),
                    "--per-cycle-applog-prefix",
                    disk.resolve("logs/train").toString())) {
                agent.rank(0);
                agent.rank(1).destroyForcibly();
                agent.awaitLog("the report could not be written into");
                Files.delete(disk.resolve("filler"));
                agent.awaitLog("is written again");
                Files.createFile(end);

                assertThat(agent.awaitExit()).as(agent.log()).isZero();
                assertThat(agent.log())
                        .containsOnlyOnce("cannot be written: No space left on device")
                        .contains("restart 1 of 10");
            }
        } finally {
            run("umount", disk.toString());
        }
    }
}
