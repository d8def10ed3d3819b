package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.resiliency.examples.job.Script;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the demo with as little as other systems than Linux may offer: no {@code /proc}, no tools of Linux on the path, no
 * JNA. Needs the right to mount a file system.
 */
@Tag("full")
class BareSystemIT {
    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
    /** All that a program starts beside JVMs. */
    private static final List<String> TOOLS = List.of("kill", "sh", "env");

    private static final String HIDDEN = "mount -t tmpfs none /proc && ";

    @Test
    void demoSurvivesItsFaultsWithoutProcSetsidAndJna(@TempDir Path directory) throws Exception {
        Script shell = new Script(directory, find("unshare").toString(), "--mount", "sh", "-c");
        assumeTrue(shell.run(HIDDEN + "true") == 0, "no file system can be mounted here");
        Path tools = Files.createDirectory(directory.resolve("tools"));
        for (String tool : TOOLS) {
            Files.createSymbolicLink(tools.resolve(tool), find(tool));
        }
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("jna-"))
                .collect(Collectors.joining(File.pathSeparator));

        // Without /proc, the dynamic loader does not find the JVM's libraries by itself.
        String output = shell.succeed(HIDDEN
                + "LD_LIBRARY_PATH=%1$s/lib:%1$s/lib/server PATH=%2$s exec %1$s/bin/java -Djava.io.tmpdir=%3$s -cp %4$s %5$s --plain --ranks=3"
                        .formatted(JAVA_HOME, tools, directory, classPath, DemoCommand.class.getName()));

        assertThat(output)
                .contains("2 of 3 ranks finished", "after the exception on rank 2", "after the kill on rank 1")
                .contains("STEPS LOST: 0");
    }

    private static Path find(String tool) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }
}
