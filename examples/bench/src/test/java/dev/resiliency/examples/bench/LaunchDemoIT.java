package dev.resiliency.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.Script;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the demo of the launcher as a user does. */
class LaunchDemoIT {
    @Tag("full")
    @Test
    void jobSurvivesTheLossOfARankAndOfANode(@TempDir Path directory) throws Exception {
        Script demo = new Script(directory, "launch.sh");

        assertThat(demo.run()).as(demo::output).isZero();
        assertThat(demo.output())
                .contains(
                        "was ended by SIGKILL",
                        "is lost: the others continue without it",
                        "has joined, as group rank 1");
        assertThat(demo.filesLeft()).isEmpty();
    }

    @Test
    void optionsAreRefused(@TempDir Path directory) throws Exception {
        Script demo = new Script(directory, "launch.sh");

        assertThat(demo.run("--nodes=3")).isEqualTo(2);
        assertThat(demo.output()).startsWith("Trains the program of docs/getting-started.md on two nodes");
    }
}
