package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose standard output is a file on a full disk. */
class FullDiskIT {
    private static final File FULL = new File("/dev/full");

    @TempDir
    private Path directory;

    @Test
    void linesThatStandardOutputDoesNotTakeAreCountedAndTheJobGoesOn() throws Exception {
        assumeThat(FULL).exists();
        Path errors = directory.resolve("errors");
        Process agent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ResiliencyCommand.class.getName(),
                        "run",
                        "--nproc-per-node",
                        "2",
                        "--node-name",
                        "node",
                        "--run-dir",
                        directory.resolve("run").toString(),
                        "--",
                        "sh",
                        "-c",
                        "for i in 1 2 3; do echo step $i; done")
                .redirectOutput(FULL)
                .redirectError(errors.toFile())
                .start();

        assertThat(agent.waitFor()).as(Files.readString(errors)).isZero();
        assertThat(errors)
                .content()
                .contains("[agent of node] standard output cannot be written: No space left on device")
                .contains("6 lines could not be printed");
    }
}
