package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rank that cannot take part in its job says so, and the others continue without it at once: real processes. */
class LeavingIT {
    @TempDir
    private Path directory;

    private ProcessJob start(int leaving, Path javaHome) throws Exception {
        return RankProgram.start(
                3,
                directory,
                "-Diterations=0",
                "-Dmisbehaving=" + leaving,
                "-Dstaying=" + leaving,
                "-DjavaHome=" + javaHome);
    }

    /** Asserts that a rank has left for this reason, and that the others know it and have gone on without it. */
    private static void assertLeavesAlone(ProcessJob job, int leaving, String reason) throws Exception {
        RankProcess left = job.rank(leaving);
        left.awaitThat("leaves", () -> left.lines().stream().anyMatch(line -> line.startsWith("THROWN")));
        int activeRank = 0;
        for (RankProcess other : job.others(leaving)) {
            other.awaitLine("ENTERED %d of 2, iteration 0".formatted(activeRank));
            assertThat(other.awaitExit()).isZero();
            assertThat(other.lines()).contains("RESULT " + activeRank, "LEFT []");
            assertThat(other.log())
                    .containsPattern(
                            "the job starts without ranks \\{" + leaving + "\\}, which may join later: \\w+ on rank "
                                    + leaving + " \\(" + "dev.resiliency.inprocess.MonitorProcessException: " + reason);
            activeRank++;
        }
        left.closeInput();
        assertThat(left.awaitExit()).isZero();
        assertThat(left.lines())
                .anySatisfy(line -> assertThat(line)
                        .matches("THROWN dev.resiliency.inprocess.MonitorProcessException: " + reason + ".*"));
        if (leaving != 0) { // which may still host the store
            assertThat(left.lines()).contains("LEFT []");
        }
    }

    /** Its monitor process, whose JVM has hardly begun to start, deletes the file. */
    @Test
    void rankThatIsKilledAsSoonAsItHasAHeartbeatFileLeavesNone() throws Exception {
        try (ProcessJob job = RankProgram.start(1, directory)) {
            Path temporary = directory.resolve("tmp-0");
            while (Leftovers.filesIn(temporary).findAny().isEmpty()) {
                Thread.onSpinWait();
            }

            job.rank(0).kill();

            while (Leftovers.filesIn(temporary).findAny().isPresent()) {
                Thread.sleep(10);
            }
        }
    }

    @Test
    void rankWhoseMonitorProcessCannotBeStartedTellsTheOthers() throws Exception {
        try (ProcessJob job = start(1, directory.resolve("nowhere"))) {
            assertLeavesAlone(
                    job,
                    1,
                    "the monitor process could not be started \\(.*nowhere.*\\): check java.home, or raise the limit of"
                            + " processes and threads of this user \\(ulimit -u\\) or container \\(pids.max\\)");
        }
    }

    /** The others connect to a store whose host has left before they came. */
    @Tag("full")
    @Test
    void hostOfTheStoreWhoseMonitorProcessCannotBeStartedTellsTheOthers() throws Exception {
        try (ProcessJob job = start(0, directory.resolve("nowhere"))) {
            assertLeavesAlone(job, 0, "the monitor process could not be started \\(.*nowhere.*\\): check java.home");
        }
    }

    @Tag("full")
    @Test
    void rankWhoseMonitorProcessDiesAtItsStartTellsTheOthers() throws Exception {
        Path java = Files.createDirectories(directory.resolve("broken").resolve("bin"))
                .resolve("java");
        Files.writeString(java, "#!/bin/sh\necho 'Error occurred during initialization of VM: no threads'\nexit 1\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        try (ProcessJob job = start(1, directory.resolve("broken"))) {
            assertLeavesAlone(
                    job, 1, "the monitor process \\d+ ended: Error occurred during initialization of VM: no threads");
        }
    }
}
