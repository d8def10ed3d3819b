package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.testing.ProcessJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Supervises on a host that lacks what a supervisor uses. */
class MissingToolsIT {
    @TempDir
    private Path directory;

    private ProcessJob.Builder withoutTools(String script, String... options) throws Exception {
        Path bin = Files.createDirectories(directory.resolve("bin"));
        for (String program : List.of("sh", "sleep")) {
            if (!Files.exists(bin.resolve(program))) {
                Files.createSymbolicLink(
                        bin.resolve(program), Path.of("/bin", program).toRealPath());
            }
        }
        return Supervised.builder(directory)
                .environment("PATH", bin.toString())
                .arguments(Supervised.arguments(directory, List.of("sh", "-c", script), options));
    }

    @Test
    void missingProgramsAreNamedOnceAndTheRestWorks() throws Exception {
        try (ProcessJob job = withoutTools("echo run; exit 1").start()) {
            assertThat(job.rank(0).awaitExit()).isEqualTo(93);
            assertThat(job.rank(0).lines()).hasSize(4);
            assertThat(job.rank(0).log())
                    .containsOnlyOnce("this host lacks programs of util-linux")
                    .contains("setpriv --pdeathsig: a process outlives its supervisor", "setsid: signals reach only");
        }
    }

    @Test
    void signalReachesTheProcess() throws Exception {
        try (ProcessJob job = withoutTools("trap 'echo got; exit 0' TERM; echo ready; while :; do sleep 0.05; done")
                .start()) {
            job.rank(0).awaitLine("ready");
            job.rank(0).signal("TERM");
            assertThat(job.rank(0).awaitExit()).isZero();
            assertThat(job.rank(0).lines()).contains("got");
        }
    }

    @Test
    void processThatOutlivesItsSupervisorIsEndedByTheNextOne() throws Exception {
        try (ProcessJob killed = withoutTools("echo ready; sleep 1000").start()) {
            killed.rank(0).awaitLine("ready");
            await().until(() -> killed.rank(0).family().size() == 3);
            killed.rank(0).kill();
            try (ProcessJob next = withoutTools("echo next").start()) {
                assertThat(next.rank(0).awaitExit()).isZero();
                assertThat(next.rank(0).log()).contains("have outlived their supervisor");
            }
            assertThat(killed.rank(0).family()).isEmpty();
        }
    }

    @Test
    void directoryThatOthersMayWriteToIsNotUsed() throws Exception {
        Path run = Files.createDirectory(directory.resolve("run"));
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (Supervised supervised = Supervised.script(directory, "echo run")) {
            assertThat(supervised.awaitExit()).isZero();
            assertThat(supervised.log()).contains("nobody else may write to it");
        }
    }
}
