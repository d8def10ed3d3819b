package dev.resiliency.launcher.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rank that the kernel kills, in a control group with little memory. Needs root, control groups (version 1) that it may
 * create, and a kernel log that names processes as this test sees them; is skipped where one of these is missing.
 */
@Tag("full")
class OutOfMemoryIT {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup/memory");
    private static final int KILLED = 137;
    /** Moves this shell into the group, and takes memory without end. */
    private static final String TAKE_ALL = "echo $$ > '%s/cgroup.procs'; exec tail /dev/zero";

    @TempDir
    private Path directory;

    private final Path group =
            GROUPS.resolve("resiliency-test-" + ProcessHandle.current().pid());

    @AfterEach
    void removeGroup() throws Exception {
        while (Files.isDirectory(group)) {
            try {
                Files.delete(group);
            } catch (IOException busy) {
                Thread.sleep(20); // the last process in it has not quite ended
            }
        }
    }

    private void makeGroup() throws Exception {
        assumeThat(Files.isWritable(GROUPS))
                .as("control groups can be created in %s", GROUPS)
                .isTrue();
        Files.createDirectory(group);
        Files.writeString(group.resolve("memory.limit_in_bytes"), Integer.toString(32 << 20));
        Process victim = new ProcessBuilder("sh", "-c", TAKE_ALL.formatted(group))
                .redirectErrorStream(true)
                .start();
        assumeThat(victim.waitFor()).as("the limit holds").isEqualTo(KILLED);
        Process log = new ProcessBuilder("dmesg").redirectErrorStream(true).start();
        assumeThat(new String(log.getInputStream().readAllBytes(), UTF_8))
                .as("the kernel's log")
                .contains("Killed process " + victim.pid() + " ");
    }

    @Test
    void rankThatTheKernelKillsForWantOfMemoryIsReportedAsSuch() throws Exception {
        makeGroup();
        Path begun = directory.resolve("begun");
        Path end = directory.resolve("end");
        String script =
                "if [ ! -e '%s' ]; then touch '%s'; %s; fi; echo goes on; while [ ! -e '%s' ]; do sleep 0.05; done"
                        .formatted(begun, begun, TAKE_ALL.formatted(group), end);
        List<String> options =
                List.of("--report-dir", directory.resolve("reports").toString(), "--nproc-per-node", "1");

        try (Launched agent = Launched.script(directory, "node", script, options.toArray(String[]::new))) {
            agent.awaitLine("goes on");
            agent.awaitLog("report 1: OUT_OF_MEMORY_KILLED(rank 0)");
            Files.createFile(end);
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
        }

        assertThat(Files.readString(directory.resolve("reports/report-default-1.txt")))
                .contains("OUT_OF_MEMORY_KILLED", "Killed process");
    }
}
