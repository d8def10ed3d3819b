package dev.resiliency.examples.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.Script;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the demo of the launcher as a user does. */
class LaunchDemoIT {
    private Script demo;

    @BeforeEach
    void setUp(@TempDir Path directory) throws Exception {
        demo = new Script(directory, "launch.sh");
    }

    @Tag("full")
    @Test
    void jobSurvivesTheLossOfARankAndOfANode() throws Exception {
        assertThat(demo.run()).as(demo.output()).isZero();

        assertThat(demo.output())
                .contains(
                        "was ended by SIGKILL",
                        "is lost: the others continue without it",
                        "has joined, as group rank 1");
        assertThat(demo.filesLeft()).isEmpty();
    }

    @Test
    void optionsAreRefused() throws Exception {
        assertThat(demo.run("--nodes=3")).isEqualTo(2);

        assertThat(demo.output()).startsWith("Trains the program of docs/getting-started.md on two nodes");
    }
}
