package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host that lets an agent and its ranks write nowhere, as a container with a read-only root does. */
class ReadOnlyHostIT {
    @TempDir
    private Path directory;

    @Test
    void jobWhoseRanksFindNoPlaceForTheirFilesEndsAtOnceAndSaysWhatToChange() throws Exception {
        Path file = Files.createFile(
                directory.resolve("run")); // in place of the run directory, and of that for temporary files
        try (Launched agent = Launched.program(
                directory,
                "node",
                LaunchedProgram.class,
                directory.resolve("end"),
                Map.of("_JAVA_OPTIONS", "-Djava.io.tmpdir=" + file),
                "--nproc-per-node",
                "2",
                "--backoff",
                "1m:1m")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(93);
            assertThat(agent.log())
                    .contains("cannot run, whenever it starts: ")
                    .contains("name another directory with -Djava.io.tmpdir")
                    .containsPattern(
                            "report 1: CONFIGURATION on node node, first rank [01](; \\d more followed)?: stop \\(")
                    .doesNotContain("(restart 1 of");
        }
    }
}
