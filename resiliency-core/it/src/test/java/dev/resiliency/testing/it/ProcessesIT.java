package dev.resiliency.testing.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessesIT {
    @Test
    void startWithoutDescriptorsClosesNobodysFiles() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/fd")));
        Process program = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StarvedProgram.class.getName()))
                .redirectErrorStream(true)
                .start();
        String output = new String(program.getInputStream().readAllBytes(), UTF_8);

        assertThat(program.waitFor()).as(output).isZero();
        assertThat(output).containsPattern("[1-9]\\d* have started");
    }
}
