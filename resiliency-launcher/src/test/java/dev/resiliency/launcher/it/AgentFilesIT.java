package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another user of this host has been at the place of an agent's files before. */
class AgentFilesIT {
    /** A rank that is watched completes. */
    private static final String WATCHED = "test -s \"$RESILIENCY_MONITOR_FILE\"";

    @TempDir
    private Path directory;

    private Path checkpoints;
    private Path run;

    @BeforeEach
    void plant() throws Exception {
        checkpoints = Files.createDirectory(directory.resolve("checkpoints"));
        Files.writeString(checkpoints.resolve("step-100.bin"), "precious");
        Files.writeString(checkpoints.resolve("p0-0.stamps"), "precious, too");
        run = Files.createDirectories(directory.resolve("run"));
    }

    private void allowAll() throws Exception {
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private static void createFifo(Path path) throws Exception {
        Files.createDirectories(path.getParent());
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
    }

    private String runToTheEnd() throws Exception {
        try (Launched agent = Launched.script(directory, "node", WATCHED)) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            return agent.log();
        } finally {
            assertThat(checkpoints.resolve("step-100.bin")).hasContent("precious");
            assertThat(checkpoints.resolve("p0-0.stamps")).hasContent("precious, too");
        }
    }

    @Test
    void runDirectoryThatIsRefusedIsUsedByNobodyAndRanksAreWatchedAllTheSame() throws Exception {
        Files.createSymbolicLink(Files.createDirectories(run.resolve("stamps")).resolve("default-node"), checkpoints);
        createFifo(run.resolve("times/default.json"));
        allowAll();

        assertThat(runToTheEnd()).contains("cannot be used", "nobody else may write to it");
        assertThat(run.resolve("stamps/default-node")).isSymbolicLink();
        assertThat(run).isDirectoryNotContaining(path -> Files.isRegularFile(path));
    }

    @Test
    void linkInARunDirectoryIsNotFollowed() throws Exception {
        Files.createSymbolicLink(run.resolve("times"), checkpoints);
        Files.createDirectories(run.resolve("stamps"));
        Files.createSymbolicLink(run.resolve("stamps/default-node"), checkpoints);

        assertThat(runToTheEnd())
                .contains("is a symbolic link, and is not followed: the times of this job are not kept");
    }

    @Test
    void fileOfTimesThatIsAFifoIsNotWaitedFor() throws Exception {
        createFifo(run.resolve("times/default.json"));

        assertThat(runToTheEnd()).contains("default.json is no file");
    }

    @Test
    void deviceBehindTheFileOfTimesIsNotRead() throws Exception {
        Files.createDirectories(run.resolve("times"));
        Files.createSymbolicLink(run.resolve("times/default.json"), Path.of("/dev/zero"));

        assertThat(runToTheEnd()).contains("default.json is a symbolic link");
    }
}
