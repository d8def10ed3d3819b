package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.cli.ResiliencyCommand;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands about a job, each in a process of its own.
 *
 * @param endpoint of the job
 */
record Control(Path directory, String endpoint) {
    /** Starts a command. */
    ProcessJob start(String command, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(command, "--rdzv-endpoint", endpoint));
        arguments.addAll(List.of(more));
        return ProcessJob.builder(ResiliencyCommand.class, Files.createTempDirectory(directory, command))
                .javaOptions("-Xmx64m")
                .arguments(arguments.toArray(String[]::new))
                .start();
    }

    /** Runs a command, which must succeed; returns the lines that it prints. */
    List<String> run(String command, String... more) throws IOException, InterruptedException {
        try (ProcessJob job = start(command, more)) {
            assertThat(job.rank(0).awaitExit()).as(job.rank(0).log()).isZero();
            return job.rank(0).lines();
        }
    }
}
