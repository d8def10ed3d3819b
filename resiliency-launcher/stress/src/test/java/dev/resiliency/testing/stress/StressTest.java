package dev.resiliency.testing.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs all stress tests of this module: in each, two threads race millions of times. */
class StressTest {
    private static final int LIMIT_SECONDS = 300;

    @Test
    void noRaceHasAForbiddenOutcome(@TempDir Path directory) throws Exception {
        Path output = directory.resolve("output");
        Process stress = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.openjdk.jcstress.Main",
                        "-sc=false",
                        "-f=1",
                        "-fsm=1",
                        "-iters=2",
                        "-time=250",
                        "-r=" + directory,
                        "-jvmArgs=-Xmx512m"))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = stress.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            String said = Files.readString(output);

            assertThat(ended).as(said).isTrue();
            assertThat(stress.exitValue()).as(said).isZero();
            assertThat(said).contains("All remaining tests: 6 matching test results");
        } finally {
            stress.descendants().forEach(ProcessHandle::destroyForcibly);
            stress.destroyForcibly();
        }
    }
}
