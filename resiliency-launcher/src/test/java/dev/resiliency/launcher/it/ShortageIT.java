package dev.resiliency.launcher.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a running agent lacks for a while costs it nothing for good. */
@Tag("full")
class ShortageIT {
    /** Each rank has a child that outlives it. */
    private static final String RANK = "sleep 1000 & while [ ! -e '%s' ]; do echo up; sleep 0.1; done; kill $!";

    @TempDir
    private Path directory;

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assumeTrue(process.waitFor() == 0, output); // not everybody may do that
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
