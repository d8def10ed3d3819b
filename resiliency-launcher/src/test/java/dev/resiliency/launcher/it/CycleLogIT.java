package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.resiliency.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log files that an agent keeps, with real processes. */
class CycleLogIT {
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} ";

    @TempDir
    private Path directory;

    private Launched run(Path prefix, String script, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of("--ft-per-cycle-applog-prefix", prefix.toString()));
        all.addAll(List.of(options));
        return Launched.script(directory, "node", script, all.toArray(String[]::new));
    }

    private List<String> cycle(int number) throws IOException {
        return Files.readAllLines(directory.resolve("logs/train_cycle" + number + ".log"));
    }

    @Test
    void eachCycleHasAFileWithTimeAndRankInEachLine() throws Exception {
        Path failed = directory.resolve("failed");
        String script =
                "echo step of $RANK; echo warning of $RANK >&2; [ $RANK = 0 ] || [ -e '%1$s' ] || { touch '%1$s'; exit 1; }; [ -e '%1$s' ] || sleep 60"
                        .formatted(failed);
        try (Launched agent =
                run(directory.resolve("logs/train.log"), script, "--nproc-per-node", "2", "--restart-policy", "hard")) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
        }

        for (int cycle = 0; cycle < 2; cycle++) {
            assertThat(cycle(cycle))
                    .allMatch(line -> line.matches(TIME + "\\[(rank [01]|agent of node)] .*"))
                    .anyMatch(line -> line.endsWith("[rank 0] step of 0"))
                    .anyMatch(line -> line.endsWith("[rank 1] step of 1"))
                    .anyMatch(line -> line.endsWith("[rank 1] warning of 1"));
        }
        assertThat(cycle(0))
                .anyMatch(line -> line.contains("[agent of node] this agent hosts the store"))
                .anyMatch(line -> line.contains("runs rank 1"))
                .noneMatch(line -> line.contains("all ranks of this node have completed"));
        assertThat(cycle(1)).anyMatch(line -> line.contains("all ranks of this node have completed"));
    }

    @Test
    void rankThatStartsAgainAloneAppendsToTheSameFile() throws Exception {
        Path failed = directory.resolve("failed");
        // It is killed in the middle of a line.
        String script = "[ -e '%1$s' ] && { echo completed; exit 0; }; touch '%1$s'; printf 'half a line'; kill -9 $$"
                .formatted(failed);
        try (Launched agent = run(directory.resolve("logs/train"), script)) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.process().lines()).contains("half a linecompleted");
        }

        assertThat(cycle(0).stream().filter(line -> line.contains("[rank 0]")).map(line -> line.replaceFirst(TIME, "")))
                .containsExactly(
                        "[rank 0] half a line",
                        "[rank 0] ---- starts again: restart 1 of 10 within 1h ----",
                        "[rank 0] completed");
    }

    @Test
    void jobGoesOnWhenTheDiskIsFull() throws Exception {
        Path mount = Files.createDirectory(directory.resolve("logs"));
        assumeThat(succeeds("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", mount.toString()))
                .as("may mount")
                .isTrue();
        Path begin = directory.resolve("begin");
        String script =
                "i=0; while [ $i -lt 3000 ]; do echo line $i of rank $RANK; i=$((i+1)); done; while ! [ -e '%s' ]; do sleep 0.1; done; echo last line of rank $RANK"
                        .formatted(begin);
        try (Launched agent = run(mount.resolve("train"), script, "--nproc-per-node", "2")) {
            agent.awaitLine("[rank 0] line 2999 of rank 0");
            agent.awaitLine("[rank 1] line 2999 of rank 1");
            agent.awaitLog("cannot be written: No space left on device");
            assertThat(succeeds("mount", "-o", "remount,size=1m", mount.toString()))
                    .isTrue();
            Files.createFile(begin);

            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log()).containsOnlyOnce("cannot be written").containsOnlyOnce("is written again");
            List<String> lines = cycle(0);
            long missing = lines.stream()
                    .filter(line -> line.contains("lines are missing here, as the file could not be written"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("^… (\\d+) .*", "$1")))
                    .sum();
            long lines0 = lines.stream()
                    .filter(line -> line.matches(TIME + "\\[rank [01]] line \\d+ of rank [01]"))
                    .count();
            assertThat(lines).anyMatch(line -> line.endsWith("[rank 0] last line of rank 0"));
            // The launcher's own lines may be among them.
            assertThat(missing + lines0).isBetween(6000L, 6010L);
        } finally {
            assertThat(succeeds("umount", "-l", mount.toString())).isTrue();
        }
    }

    private static boolean succeeds(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(Patience.stretch(Duration.ofSeconds(10)).toSeconds(), TimeUnit.SECONDS)
                    && process.exitValue() == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    @Test
    void prefixThatNamesADirectoryIsRefused() throws Exception {
        try (Launched agent = run(directory, "echo never")) {
            assertThat(agent.awaitExit()).isEqualTo(2);
            assertThat(agent.log()).contains("per-cycle-applog-prefix is '" + directory + "': it must be");
        }
    }
}
